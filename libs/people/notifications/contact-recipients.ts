/**
 * SQL condition: the notification is an event notification of System, which nobody wrote. Who had an alarm
 * address when it happened is told, whatever becomes of the contact afterwards (rule notifications 30).
 */
export const isAlarm = (notification: string): string =>
  `(${notification}.notification_group = 'System' AND NOT ${notification}.is_written)`;

const FULL_NAME = `CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END`;

/** SQL for the contacts `c` of those users `u` of the organisation that meet a condition. */
const contactsOfUsers = (condition: string): string =>
  `SELECT c.* FROM users u JOIN contacts c ON c.user_id = u.id WHERE u.organisation_id = n.organisation_id AND ${condition}`;

const COUNTS = 'u.enabled AND u.deleted_at IS NULL';

/**
 * Writes one recipient of the notification $1 for each address among the contacts that enabled the group, of
 * the organisation itself, its CUSTADMINs and some other users. Each of the three is found by an index: an
 * organisation has thousands of users whose contacts hear nothing. If an extra recipient has the same
 * address, the contact replaces it.
 */
const addContacts = (others: string, condition: string, preferred: string, isRedacted: string): string => `
  INSERT INTO notification_recipients (notification_id, contact_id, user_id, full_name, language, type, value, status,
    hash, is_redacted)
  SELECT DISTINCT ON (c.type, fold_case(c.name)) n.id, c.id, c.user_id, ${FULL_NAME}, coalesce(u.language, 'nl'),
    c.type, c.name, CASE c.type WHEN 'email' THEN 'queued' ELSE 'skipped' END, gen_random_uuid(), ${isRedacted}
  FROM notifications n
  JOIN organisations o ON o.id = n.organisation_id
  CROSS JOIN LATERAL (
    SELECT c.* FROM contacts c WHERE c.organisation_id = n.organisation_id AND c.user_id IS NULL
    UNION ALL ${contactsOfUsers(`${COUNTS} AND u.roles @> ARRAY['ROLE_CUSTADMIN']`)}
    UNION ALL ${contactsOfUsers(others)}
  ) c
  LEFT JOIN users u ON u.id = c.user_id
  WHERE n.id = $1 AND n.notification_group = ANY (c.groups) AND ${condition}
  ORDER BY c.type, fold_case(c.name), ${preferred}, c.id
  ON CONFLICT (notification_id, type, fold_case(value)) WHERE value <> '' DO UPDATE
    SET contact_id = coalesce(notification_recipients.contact_id, EXCLUDED.contact_id)`;

/**
 * For the transaction of the event: also to the user $2, who got the notifications of System until this act.
 * The contact of the organisation precedes that of a user with the same address, because the user may take
 * its own away.
 */
export const ADD_ALARM_CONTACTS = addContacts('u.id = $2::integer', 'true', 'c.user_id NULLS FIRST', 'false');

/**
 * SQL condition: the contact c is the mailbox of who caused the notification n of Crm. Those of System go to
 * everybody: the account of who caused it may be in other hands.
 */
const IS_OF_CAUSER = `(n.notification_group = 'Crm' AND NOT n.is_written AND n.user_id IS NOT NULL AND c.type = 'email'
    AND fold_case(c.name) = (SELECT fold_case(box.address) FROM users causer CROSS JOIN LATERAL mailbox_of(causer) box
      WHERE causer.id = n.user_id))`;

/**
 * For all other notifications: also to all users ($2), or to those with one of the roles $3. Unless what
 * people wrote keeps its words ($4), only the verified user names of the organisation get them.
 */
export const ADD_CONTACTS = addContacts(
  `$2::boolean AND ${COUNTS} AND coalesce(u.roles && $3::text[], true)`,
  `NOT ${isAlarm('n')} AND NOT coalesce(${IS_OF_CAUSER}, false)`,
  'c.user_id NULLS LAST',
  `n.is_written AND NOT $4::boolean AND organisation_of_name(c.name) IS DISTINCT FROM n.organisation_id`,
);
