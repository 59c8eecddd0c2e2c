import type { Check } from './check';

/** Equal for two spellings of one address, as contacts of its type are compared (libs/contacts/address-rules.ts). */
const UNIQUE_KEY = `
  CASE type WHEN 'email' THEN lower(name COLLATE "C")
    WHEN 'slack' THEN normalize(regexp_replace(name, '^#', ''), NFC) ELSE name END`;

/** Of the blob, as ssh-keygen shows it: pairs of hex digits with colons between. */
const FINGERPRINT = `rtrim(regexp_replace(md5(blob), '(..)', '\\1:', 'g'), ':')`;
const KEY_DIGEST = `sha256(convert_to(type || ' ', 'UTF8') || blob)`;
const WRONG_KEY = `fingerprint <> ${FINGERPRINT} OR key_digest <> ${KEY_DIGEST}`;

const DELIVERED = `
  SELECT n.id, n.status, CASE
    WHEN NOT n.is_expanded OR bool_or(r.status = 'queued') THEN 0
    WHEN NOT coalesce(bool_or(r.status = 'failed'), false) THEN 1
    WHEN bool_or(r.status = 'sent') THEN 3
    ELSE 2 END AS followed
  FROM notifications n LEFT JOIN notification_recipients r ON r.notification_id = n.id GROUP BY n.id`;

/** Users and what belongs to them. */
export const RECORD_CHECKS: readonly Check[] = [
  {
    name: 'enabled admin',
    finds: 'no enabled admin is left: `create-admin` makes one',
    wrong: `SELECT 'none' AS example WHERE NOT EXISTS (
      SELECT FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN'])`,
  },
  {
    name: 'users of deleted organisations',
    finds: 'users who are enabled although their organisation is deleted: disable them',
    wrong: `SELECT 'user ' || u.id AS example FROM users u JOIN organisations o ON o.id = u.organisation_id
      WHERE u.deleted_at IS NULL AND u.enabled AND o.deleted_at IS NOT NULL`,
  },
  {
    name: 'user names',
    // Not by the index, which would agree with itself; the added text keeps it out.
    finds:
      'names that several users have, which the index does not see: rename all but one, then REINDEX DATABASE',
    wrong: `SELECT min(username) AS example FROM users WHERE deleted_at IS NULL
      GROUP BY lower(username) || '' HAVING count(*) > 1`,
  },
  {
    name: 'reserved names',
    finds: 'users who have the name that another can still take back: rename them',
    wrong: `SELECT 'user ' || u.id AS example FROM name_restorations r
      JOIN users u ON lower(u.username) = lower(r.former_name) AND u.id <> r.user_id AND u.deleted_at IS NULL
      WHERE r.ended_at IS NULL AND r.expires_at > now()`,
  },
  {
    name: 'open invitations',
    finds:
      'addresses with several open invitations of one organisation: withdraw all but one, then REINDEX DATABASE',
    wrong: `SELECT 'organisation ' || organisation_id || ', ' || min(email) AS example FROM invitations
      WHERE accepted_at IS NULL AND deleted_at IS NULL
      GROUP BY organisation_id, lower(email) || '' HAVING count(*) > 1`,
  },
  {
    name: 'contacts of users',
    finds: 'contacts of users that name another organisation than their user',
    wrong: `SELECT 'contact ' || c.id AS example FROM contacts c JOIN users u ON u.id = c.user_id
      WHERE c.organisation_id <> u.organisation_id`,
    repair: [
      `UPDATE contacts c SET organisation_id = u.organisation_id FROM users u
        WHERE u.id = c.user_id AND c.organisation_id <> u.organisation_id`,
    ],
  },
  {
    name: 'contact addresses',
    finds: 'contacts that are compared by another address than they show',
    wrong: `SELECT 'contact ' || id AS example FROM contacts WHERE unique_key <> ${UNIQUE_KEY}`,
    repair: [`UPDATE contacts SET unique_key = ${UNIQUE_KEY} WHERE unique_key <> ${UNIQUE_KEY}`],
  },
  {
    name: 'SSH keys',
    finds: 'SSH keys whose fingerprint or digest is not that of the key',
    wrong: `SELECT 'SSH key ' || id AS example FROM ssh_keys WHERE ${WRONG_KEY}`,
    repair: [
      `UPDATE ssh_keys SET fingerprint = ${FINGERPRINT}, key_digest = ${KEY_DIGEST} WHERE ${WRONG_KEY}`,
    ],
  },
  {
    name: 'recovery codes',
    finds: 'recovery codes of users without a second factor',
    wrong: `SELECT DISTINCT 'user ' || u.id AS example FROM recovery_codes r JOIN users u ON u.id = r.user_id
      WHERE u.second_factor <> 'enabled'`,
    repair: [
      `DELETE FROM recovery_codes r USING users u WHERE u.id = r.user_id AND u.second_factor <> 'enabled'`,
    ],
  },
  {
    name: 'notification states',
    finds: 'notifications whose state is not that of their deliveries',
    wrong: `SELECT 'notification ' || id AS example FROM (${DELIVERED}) d WHERE status <> followed`,
    repair: [`SELECT count(settle_notification(id)) FROM (${DELIVERED}) d WHERE status <> followed`],
  },
];
