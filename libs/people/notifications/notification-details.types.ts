import type { User } from '@app/people/users/user.entity';
import type { NotificationRecipient } from './notification.entity';
import type { NotificationGroup } from './notification.types';

/** The word of each delivery status, indexed by its number. */
export const STATUS_WORDS = ['queued', 'sent', 'failed', 'partly sent'] as const;

/** The colour of each delivery status, indexed by its number. */
export const NOTIFICATION_STATUS_CATEGORIES = ['grey', 'green', 'red', 'orange'] as const;

/** An address that a notification went to. */
export interface Recipient extends Readonly<
  Pick<
    NotificationRecipient,
    'id' | 'contactId' | 'fullName' | 'language' | 'status' | 'type' | 'value' | 'message'
  >
> {
  /** Unix seconds. */
  readonly createdAt: number;
}

/**
 * The user who caused a notification, if not deleted. A hidden user has the name `operator`
 * or `manager` and the id 0.
 */
export type NotificationUser = Readonly<Pick<User, 'id' | 'username' | 'firstName' | 'lastName' | 'roles'>>;

/** Search parameters of lists of notifications besides `filter`. `type` must match as a whole. */
export type NotificationSearch = 'type';

/** A notification about an organisation, from a request. */
export interface NewNotification {
  readonly type: string;
  readonly group: NotificationGroup;
  readonly params: Readonly<Record<string, unknown>>;
}
