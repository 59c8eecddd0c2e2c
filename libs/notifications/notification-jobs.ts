/** The task that writes the recipients of a notification. */
export const EXPAND_NOTIFICATION = 'notifications.expand';

/** The task that lets mails of an organisation go which waited for its hourly budget. */
export const RELEASE_NOTIFICATIONS = 'notifications.release';

/** The task that tells one recipient. */
export const DELIVER_NOTIFICATION = 'notifications.deliver';

/**
 * graphile-worker waits e^n seconds after the nth try, from the tenth on six hours: 13 tries reach over most of a day.
 * News older than that is not worth sending any more.
 */
export const DELIVERY_TRIES = 13;
