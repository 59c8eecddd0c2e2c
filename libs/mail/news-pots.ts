/**
 * Pots of news. An address is mailed at most so many news of one pot and organisation in an hour, so noise
 * of one pot never holds back news of another (rule notifications 47). Its ordinary news stand in the pot
 * without a name. Pots with a name:
 *
 * - own news, by user, so that no colleague fills the pot. Unverified names have one pot for all their
 *   holders: who goes on to the next user reaches a stranger no more often;
 * - warnings, by kind, and apart from those of the same kind the mails to the address
 *   that is told no more itself.
 */

/** SQL for the pot of the recipient `r` of the notification `n`. */
export const POT_OF_RECIPIENT = `concat_ws(' ',
  CASE
    WHEN r.kind = 'own' THEN concat_ws(' ', 'own', CASE WHEN NOT r.is_bare THEN 'of ' || r.user_id END)
    WHEN r.kind = 'gone' AND n.counts_as = 'warning' THEN 'gone'
  END,
  CASE
    WHEN n.counts_as = 'warning' THEN left(n.entity_class || '.' || n.type, 32)
    WHEN r.kind = 'own' THEN n.counts_as
  END)`;

/** What users do to their own accounts, at their unverified names. */
export const OWN_UNVERIFIED = 'own account';

/** The mail to the former name of a user whom somebody else renamed. */
export const RENAMED = 'renamed';
