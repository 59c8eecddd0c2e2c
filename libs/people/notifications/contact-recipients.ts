/**
 * SQL condition: the notification is an event notification of System, which nobody wrote. Who had an alarm
 * address when it happened is told, whatever becomes of the contact afterwards (rule notifications 30).
 */
export const isAlarm = (notification: string): string =>
  `(${notification}.notification_group = 'System' AND NOT ${notification}.is_written)`;

/**
 * SQL condition: the user u of the contact c, if it has one, gets the notifications of the organisation, and
 * those of System, or got them until this act ($2).
 */
const HEARS_ALARMS = `(c.user_id IS NULL OR u.id = $2::integer
    OR (u.enabled AND u.deleted_at IS NULL AND 'ROLE_CUSTADMIN' = ANY (u.roles)))`;

const FULL_NAME = `CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END`;

/**
 * Writes one recipient of the notification $1 for each address among the contacts of its organisation that
 * enabled the group. If an extra recipient has the same address, the contact replaces it.
 */
const addContacts = (condition: string, preferred: string, isRedacted: string): string => `
  INSERT INTO notification_recipients (notification_id, contact_id, user_id, full_name, language, type, value, status,
    hash, is_redacted)
  SELECT DISTINCT ON (c.type, fold_case(c.name)) n.id, c.id, c.user_id, ${FULL_NAME}, coalesce(u.language, 'nl'),
    c.type, c.name, CASE c.type WHEN 'email' THEN 'queued' ELSE 'skipped' END, gen_random_uuid(), ${isRedacted}
  FROM notifications n
  JOIN organisations o ON o.id = n.organisation_id
  JOIN contacts c ON c.organisation_id = n.organisation_id AND n.notification_group = ANY (c.groups)
  LEFT JOIN users u ON u.id = c.user_id
  WHERE n.id = $1 AND ${condition}
  ORDER BY c.type, fold_case(c.name), ${preferred}, c.id
  ON CONFLICT (notification_id, type, fold_case(value)) WHERE value <> '' DO UPDATE
    SET contact_id = coalesce(notification_recipients.contact_id, EXCLUDED.contact_id)`;

/**
 * For the transaction of the event. The contact of the organisation precedes that of a user with the same
 * address, because the user may take its own away.
 */
export const ADD_ALARM_CONTACTS = addContacts(HEARS_ALARMS, 'c.user_id NULLS FIRST', 'false');

/**
 * SQL condition: the contact c is the mailbox of who caused the notification n of Crm. Those of System go to
 * everybody: the account of who caused it may be in other hands.
 */
const IS_OF_CAUSER = `(n.notification_group = 'Crm' AND NOT n.is_written AND n.user_id IS NOT NULL AND c.type = 'email'
    AND fold_case(c.name) = (SELECT fold_case(box.address) FROM users causer CROSS JOIN LATERAL mailbox_of(causer) box
      WHERE causer.id = n.user_id))`;

/**
 * For all other notifications: contacts of the organisation, and of all its users ($2), of users with one of
 * the roles $3, or otherwise of its CUSTADMINs.
 * Unless what people wrote keeps its words ($4), only the verified user names of the organisation get them.
 */
export const ADD_CONTACTS = addContacts(
  `NOT ${isAlarm('n')} AND NOT coalesce(${IS_OF_CAUSER}, false) AND (c.user_id IS NULL
    OR (u.enabled AND u.deleted_at IS NULL AND ('ROLE_CUSTADMIN' = ANY (u.roles)
      OR ($2::boolean AND coalesce(u.roles && $3::text[], true)))))`,
  'c.user_id NULLS LAST',
  `n.is_written AND NOT $4::boolean AND organisation_of_name(c.name) IS DISTINCT FROM n.organisation_id`,
);
