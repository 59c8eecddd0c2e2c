/**
 * `urgent`: a person waits for it, such as a mail with a code.
 * `event`: an event is told; the mails of its event are `bulk`.
 * `bulk`: notifications to many.
 */
export type JobPriority = 'urgent' | 'invitation' | 'event' | 'bulk';

/** graphile-worker takes the lowest number first; its default is 0. */
export const PRIORITY_NUMBERS: Readonly<Record<JobPriority, number>> = {
  urgent: -10,
  invitation: 0,
  event: 5,
  bulk: 10,
};

/** The priority of a waiting job. Scheduled jobs have the number of `invitation`. */
export function priorityOf(number: number): JobPriority {
  if (number < PRIORITY_NUMBERS.invitation) return 'urgent';
  if (number < PRIORITY_NUMBERS.event) return 'invitation';
  return number < PRIORITY_NUMBERS.bulk ? 'event' : 'bulk';
}
