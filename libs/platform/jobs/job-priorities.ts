/**
 * `urgent`: a person waits for it, such as a mail with a code.
 * `bulk`: notifications to many.
 */
export type JobPriority = 'urgent' | 'invitation' | 'bulk';

/** graphile-worker takes the lowest number first; its default is 0. */
export const PRIORITY_NUMBERS: Readonly<Record<JobPriority, number>> = {
  urgent: -10,
  invitation: 0,
  bulk: 10,
};

/** The priority of a waiting job. Scheduled jobs have the number of `invitation`. */
export const priorityOf = (number: number): JobPriority =>
  number < PRIORITY_NUMBERS.invitation
    ? 'urgent'
    : number === PRIORITY_NUMBERS.invitation
      ? 'invitation'
      : 'bulk';
