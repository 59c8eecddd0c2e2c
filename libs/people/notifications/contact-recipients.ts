/**
 * SQL condition: the notification is the service's own news of System, which nobody wrote. Who had an alarm
 * address when it happened is told, whatever becomes of the contact afterwards (rule notifications 31).
 */
export const isAlarm = (notification: string): string =>
  `(${notification}.notification_group = 'System' AND NOT ${notification}.is_written)`;

/** SQL for the pot of the hourly mails that the notification `n` counts in (`MailBudget`). */
export const MAIL_POT = `CASE WHEN NOT ${isAlarm('n')} THEN 'rest' WHEN n.counts_as = 'account' THEN 'accounts' ELSE 'alarms' END`;

/**
 * SQL condition: the user u of the contact c, if it has one, gets the news of the organisation, and those of
 * System.
 */
const HEARS_ALARMS = `(c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL AND 'ROLE_CUSTADMIN' = ANY (u.roles)))`;

const FULL_NAME = `CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END`;

/**
 * Writes one recipient of the notification $1 for each address among the contacts of its organisation that
 * enabled the group. If an extra recipient has the same address, the contact replaces it.
 */
const addContacts = (condition: string, preferred: string): string => `
  INSERT INTO notification_recipients (notification_id, contact_id, user_id, full_name, language, type, value, status,
    hash)
  SELECT DISTINCT ON (c.type, fold_case(c.name)) n.id, c.id, c.user_id, ${FULL_NAME}, coalesce(u.language, 'nl'),
    c.type, c.name, CASE c.type WHEN 'email' THEN 'queued' ELSE 'skipped' END, gen_random_uuid()
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
export const ADD_ALARM_CONTACTS = addContacts(HEARS_ALARMS, 'c.user_id NULLS FIRST');

/**
 * For all other notifications: contacts of the organisation, and of all its users ($2), of users with one of
 * the roles $3, or otherwise of its CUSTADMINs.
 */
export const ADD_CONTACTS = addContacts(
  `NOT ${isAlarm('n')} AND (c.user_id IS NULL
    OR (u.enabled AND u.deleted_at IS NULL AND ('ROLE_CUSTADMIN' = ANY (u.roles)
      OR ($2::boolean AND coalesce(u.roles && $3::text[], true)))))`,
  'c.user_id NULLS LAST',
);

/**
 * Alarms that wait for the deleted users $1 go to another contact with the address that gets alarms too.
 * Without one they are skipped, because the address of a deleted user goes at once.
 */
export const HAND_ALARMS_OVER = `
  UPDATE notification_recipients r
  SET kind = 'contact', contact_id = heir.id, user_id = heir.user_id, full_name = heir.full_name,
    language = heir.language, value = heir.name
  FROM (
    SELECT DISTINCT ON (waiting.id) waiting.id AS recipient_id, c.id, c.user_id, c.name, ${FULL_NAME} AS full_name,
      coalesce(u.language, 'nl') AS language
    FROM notification_recipients waiting
    JOIN notifications n ON n.id = waiting.notification_id
    JOIN organisations o ON o.id = n.organisation_id
    JOIN contacts c ON c.organisation_id = n.organisation_id AND 'System' = ANY (c.groups)
      AND c.type = waiting.type AND fold_case(c.name) = fold_case(waiting.value)
    LEFT JOIN users u ON u.id = c.user_id
    WHERE waiting.user_id = ANY ($1::integer[]) AND waiting.status = 'queued' AND ${isAlarm('n')}
      AND (c.user_id IS NULL OR c.user_id <> ALL ($1::integer[])) AND ${HEARS_ALARMS}
    ORDER BY waiting.id, c.user_id NULLS FIRST, c.id
  ) heir
  WHERE r.id = heir.recipient_id`;
