import { MANY_WAIT } from '@app/mail/mail-bounds';

/**
 * SQL condition: the notification is an event notification of System, which nobody wrote. Who had an alarm
 * address when it happened is told, whatever becomes of the contact afterwards (rule notifications 30).
 */
export const isAlarm = (notification: string): string =>
  `(${notification}.notification_group = 'System' AND NOT ${notification}.is_written)`;

const FULL_NAME = `CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END`;

const COUNTS = 'u.enabled AND u.deleted_at IS NULL';

const IS_MANAGER = `u.roles @> ARRAY['ROLE_CUSTADMIN']`;

/** SQL for the contacts `c` of those users `u` of the organisation that meet a condition. */
const contactsOfUsers = (condition: string): string =>
  `SELECT c.* FROM users u JOIN contacts c ON c.user_id = u.id WHERE u.organisation_id = n.organisation_id AND ${condition}`;

const OWN_CONTACTS =
  'SELECT c.* FROM contacts c WHERE c.organisation_id = n.organisation_id AND c.user_id IS NULL';

interface Recipients {
  /** SQL for the contacts `c` among which those are that enabled the group. */
  readonly contacts: string;
  /** SQL condition of those that become recipients. */
  readonly condition: string;
  /** The order of contacts with the same address: the first one is written. */
  readonly preferred: string;
  readonly isRedacted: string;
  /** SQL for how many of the mails may wait. */
  readonly room?: string | undefined;
}

/** SQL condition: the recipient is an e-mail address, and there is no room for it behind the others. */
const isBeyond = (room: string): string =>
  `(recipient.type = 'email' AND coalesce(row_number() OVER (PARTITION BY recipient.type) > ${room}, false))`;

/**
 * Writes one recipient of the notification $1 for each address among contacts that enabled the group. If a
 * recipient has the same address already, it becomes the contact unless it is one: nothing is written twice.
 */
const addContacts = ({ contacts, condition, preferred, isRedacted, room = 'NULL' }: Recipients): string => `
  INSERT INTO notification_recipients (notification_id, contact_id, user_id, full_name, language, type, value, hash,
    is_redacted, status, message)
  SELECT recipient.*, CASE WHEN recipient.type <> 'email' OR ${isBeyond(room)} THEN 'skipped' ELSE 'queued' END,
    CASE WHEN ${isBeyond(room)} THEN '${MANY_WAIT}' ELSE '' END
  FROM (
    SELECT DISTINCT ON (c.type, fold_case(c.name)) n.id, c.id, c.user_id, ${FULL_NAME}, coalesce(u.language, 'nl'), c.type, c.name,
      gen_random_uuid(), ${isRedacted}
    FROM notifications n
    JOIN organisations o ON o.id = n.organisation_id
    CROSS JOIN LATERAL (${contacts}) c
    LEFT JOIN users u ON u.id = c.user_id
    WHERE n.id = $1 AND n.notification_group = ANY (c.groups) AND ${condition}
    ORDER BY c.type, fold_case(c.name), ${preferred}, c.id
  ) recipient
  ON CONFLICT (notification_id, type, fold_case(value)) WHERE value <> '' DO UPDATE
    SET contact_id = coalesce(notification_recipients.contact_id, EXCLUDED.contact_id)`;

/**
 * For the transaction of the event: to the organisation, its CUSTADMINs and the user $2, who got the
 * notifications of System until this act. Each of the three is found by an index: an organisation has
 * thousands of users whose contacts hear nothing. The contact of the organisation precedes that of a user
 * with the same address, because the user may take its own away.
 */
export const ADD_ALARM_CONTACTS = addContacts({
  contacts: `${OWN_CONTACTS}
    UNION ALL ${contactsOfUsers(`${COUNTS} AND ${IS_MANAGER}`)}
    UNION ALL ${contactsOfUsers('u.id = $2::integer')}`,
  condition: 'true',
  preferred: 'c.user_id NULLS FIRST',
  isRedacted: 'false',
});

/**
 * SQL condition: the contact c is the mailbox of who caused the notification n of Crm. Those of System go to
 * everybody: the account of who caused it may be in other hands.
 */
const IS_OF_CAUSER = `(n.notification_group = 'Crm' AND NOT n.is_written AND n.user_id IS NOT NULL AND c.type = 'email'
    AND fold_case(c.name) = (SELECT fold_case(box.address) FROM users causer CROSS JOIN LATERAL mailbox_of(causer) box
      WHERE causer.id = n.user_id))`;

/**
 * Users whose contacts one statement writes. A user has 50 contacts at most, so these are 5,000 at most,
 * however many the organisation has: a fraction of a second.
 */
export const USERS_OF_A_BATCH = 100;

/**
 * For all other notifications: the contacts of the next users of the organisation after the user $2, or of
 * its CUSTADMINs only, and behind the last of them its own. Of contacts with the same address the first in
 * this order is written. Unless what people wrote keeps its words ($3), only the verified user names of the
 * organisation get them. Returns the last of the users if there may be more.
 */
const addBatch = (who: string, room?: string): string => `
  WITH batch AS MATERIALIZED (
    SELECT u.id FROM users u
    WHERE u.organisation_id = (SELECT organisation_id FROM notifications WHERE id = $1) AND ${COUNTS} AND ${who}
      AND u.id > $2::integer
    ORDER BY u.id LIMIT ${USERS_OF_A_BATCH}
  ), written AS (${addContacts({
    contacts: `SELECT c.* FROM batch JOIN contacts c ON c.user_id = batch.id
    UNION ALL ${OWN_CONTACTS} AND (SELECT count(*) < ${USERS_OF_A_BATCH} FROM batch)`,
    condition: `NOT ${isAlarm('n')} AND NOT coalesce(${IS_OF_CAUSER}, false)`,
    preferred: 'c.user_id NULLS LAST',
    isRedacted: `n.is_written AND NOT $3::boolean AND organisation_of_name(c.name) IS DISTINCT FROM n.organisation_id`,
    room,
  })})
  SELECT max(id) AS "lastUserId" FROM batch HAVING count(*) = ${USERS_OF_A_BATCH}`;

export const ADD_CONTACTS_OF_MANAGERS = addBatch(IS_MANAGER);

/**
 * Those of all users, or of the CUSTADMINs and the users with one of the roles $4. At most $5 mails may wait,
 * unless this is null; recipients beyond are skipped.
 */
export const ADD_CONTACTS_OF_USERS = addBatch(
  `(${IS_MANAGER} OR coalesce(u.roles && $4::text[], true))`,
  '$5::bigint',
);
