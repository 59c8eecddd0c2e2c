import type { EntityManager } from 'typeorm';

/** Wrong records that a data check found. */
export interface WrongRecords {
  readonly found: number;
  readonly examples: readonly string[];
}

/** A check of data that is stored twice or must agree in several rows. */
export interface DataCheck {
  readonly name: string;
  /** The finding in one line, and what to do if no repair exists. */
  readonly finds: string;
  /** The finding may be older than the rule, and is then acceptable. */
  readonly mayStay?: boolean;
  /** A fast query: if it returns no row, nothing can be wrong and `wrong` does not run. */
  readonly suspect?: string;
  /** Query with one row for each wrong record; the column `example` names it. */
  readonly wrong: string;
  /** Statements that repair everything, in one transaction. */
  readonly repair?: readonly string[];
}

/** Maximum findings of a check that are listed. */
const MAX_EXAMPLES = 5;

export async function wrongRecords(
  manager: EntityManager,
  { suspect, wrong }: DataCheck,
): Promise<WrongRecords> {
  if (suspect !== undefined && (await manager.query<object[]>(suspect)).length === 0)
    return { found: 0, examples: [] };
  const [records] = await manager.query<[WrongRecords]>(
    `WITH wrong AS MATERIALIZED (${wrong})
     SELECT (SELECT count(*) FROM wrong) AS found,
       ARRAY(SELECT example::text FROM wrong ORDER BY example LIMIT ${MAX_EXAMPLES}) AS examples`,
  );
  return records;
}

/** The links of all organisations that are not deleted. */
const LINK = `
  link AS (
    SELECT id AS descendant_id, parent_id AS ancestor_id FROM organisations
    WHERE deleted_at IS NULL AND parent_id IS NOT NULL
    UNION
    SELECT id, reseller_id FROM organisations WHERE deleted_at IS NULL AND reseller_id IS NOT NULL
  )`;

/**
 * SQL for the ancestors of each organisation: those in its links, and the closure table's ancestors of these.
 * In a tree without circles the closure table is right if it equals this result, from the top down.
 */
const ONE_STEP = `
  WITH ${LINK}, expected AS (
    SELECT descendant_id, ancestor_id FROM link
    UNION
    SELECT link.descendant_id, c.ancestor_id
    FROM link JOIN organisation_closure c ON c.descendant_id = link.ancestor_id
  )`;

/** The ancestors of each organisation, from the links alone, recursively. */
const ALL_STEPS = `
  WITH RECURSIVE ${LINK}, expected AS (
    SELECT descendant_id, ancestor_id FROM link
    UNION
    SELECT e.descendant_id, link.ancestor_id FROM expected e JOIN link ON link.descendant_id = e.ancestor_id
  )`;

const DIFFERENCE = `
  FROM (SELECT descendant_id, ancestor_id, true AS found FROM expected) e
  FULL JOIN (SELECT descendant_id, ancestor_id, true AS found FROM organisation_closure) c
    USING (descendant_id, ancestor_id)
  WHERE e.found IS NULL OR c.found IS NULL`;

const TREE_LOCK = `SELECT lock_tree FROM pg_advisory_xact_lock(7218450001) AS lock_tree`;

/** Organisations whose count differs from the closure table, with the count from the table. */
const COUNTED = `
  SELECT o.id, coalesce(c.beneath, 0) AS beneath
  FROM organisations o LEFT JOIN (
    SELECT ancestor_id, count(*)::integer AS beneath FROM organisation_closure GROUP BY ancestor_id
  ) c ON c.ancestor_id = o.id WHERE o.beneath_count <> coalesce(c.beneath, 0)`;

const RECOUNT = `UPDATE organisations o SET beneath_count = counted.beneath FROM (${COUNTED}) counted
  WHERE o.id = counted.id`;

/** Maximum organisations on a path, including both ends (rule organisations 20). */
const MAX_DEPTH = 32;

/** The giver of the grant `a` has no reach over its organisation. */
const OUT_OF_REACH = `a.giver_organisation_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM organisation_closure c
  WHERE c.ancestor_id = a.giver_organisation_id AND c.descendant_id = a.organisation_id)`;

/** The tree of organisations, which determines rights. */
export const TREE_CHECKS: readonly DataCheck[] = [
  {
    name: 'circles',
    finds:
      'organisations that lie beneath themselves: change a parent or reseller link of one in each circle',
    suspect: `${ONE_STEP} SELECT 1 ${DIFFERENCE} LIMIT 1`,
    wrong: `${ALL_STEPS} SELECT 'organisation ' || descendant_id AS example FROM expected
      WHERE descendant_id = ancestor_id`,
  },
  {
    name: 'closure',
    finds:
      'pairs of organisations that lie beneath each other by their links but not in organisation_closure, or the reverse',
    suspect: `${ONE_STEP} SELECT 1 ${DIFFERENCE} LIMIT 1`,
    wrong: `${ALL_STEPS}
      SELECT descendant_id || ' beneath ' || ancestor_id
        || CASE WHEN c.found THEN ' without a link' ELSE ' is missing' END AS example
      ${DIFFERENCE} AND descendant_id <> ancestor_id`,
    repair: [
      TREE_LOCK,
      `${ALL_STEPS} DELETE FROM organisation_closure c WHERE NOT EXISTS (SELECT FROM expected e
        WHERE e.descendant_id = c.descendant_id AND e.ancestor_id = c.ancestor_id)`,
      `${ALL_STEPS} INSERT INTO organisation_closure (descendant_id, ancestor_id)
        SELECT descendant_id, ancestor_id FROM expected WHERE descendant_id <> ancestor_id
        ON CONFLICT DO NOTHING`,
      RECOUNT,
    ],
  },
  {
    name: 'beneath counts',
    finds: 'organisations whose number of organisations beneath is not that of organisation_closure',
    wrong: `SELECT 'organisation ' || id AS example FROM (${COUNTED}) counted`,
    repair: [TREE_LOCK, RECOUNT],
  },
  {
    name: 'tree depth',
    finds: `organisations more than ${MAX_DEPTH} away from the operator: they stay, and may come up step by step`,
    mayStay: true,
    // An organisation has at least as many ancestors as steps to the top.
    suspect: `SELECT 1 FROM organisation_closure GROUP BY descendant_id HAVING count(*) >= ${MAX_DEPTH} LIMIT 1`,
    wrong: `SELECT 'organisation ' || descendant_id AS example FROM (
        SELECT descendant_id FROM organisation_closure GROUP BY descendant_id HAVING count(*) >= ${MAX_DEPTH} OFFSET 0
      ) deep WHERE longest_way_up(descendant_id) > ${MAX_DEPTH}`,
  },
  {
    name: 'deleted links',
    finds: 'organisations whose parent or reseller is deleted: give them another',
    wrong: `SELECT 'organisation ' || o.id AS example FROM organisations o
      JOIN organisations above ON above.id IN (o.parent_id, o.reseller_id)
      WHERE o.deleted_at IS NULL AND above.deleted_at IS NOT NULL`,
  },
  {
    name: 'grants',
    finds: 'grants whose giver has no reach over the organisation any more',
    wrong: `SELECT 'grant ' || a.id AS example FROM acls a WHERE ${OUT_OF_REACH}`,
    repair: [`DELETE FROM acls a WHERE ${OUT_OF_REACH}`],
  },
];

/**
 * Equal for two spellings of one address, with the rules for contacts of its type
 * (libs/people/contacts/address-rules.ts).
 */
const UNIQUE_KEY = `
  CASE type WHEN 'email' THEN lower(name COLLATE "C")
    WHEN 'slack' THEN normalize(regexp_replace(name, '^#', ''), NFC) ELSE name END`;

/** SQL for the fingerprint of the blob as ssh-keygen prints it: hex pairs, separated by colons. */
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

/** Users and their records. */
export const RECORD_CHECKS: readonly DataCheck[] = [
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
    // The added empty text prevents the use of the index, which would agree with itself.
    finds:
      'names that several users have, which the index does not see: rename all but one, then REINDEX DATABASE',
    wrong: `SELECT min(username) AS example FROM users WHERE deleted_at IS NULL
      GROUP BY fold_case(username) || '' HAVING count(*) > 1`,
  },
  {
    name: 'reserved names',
    finds: 'users who have the name that another can still take back or is told by: rename them',
    wrong: `SELECT 'user ' || u.id AS example FROM name_restorations r
      JOIN users u ON fold_case(u.username) = fold_case(r.former_name) AND u.id <> r.user_id AND u.deleted_at IS NULL
      WHERE r.ended_at IS NULL AND r.expires_at > now()
      UNION ALL
      SELECT 'user ' || u.id FROM users told
      JOIN users u ON fold_case(u.username) = fold_case(told.told_name) AND u.id <> told.id AND u.deleted_at IS NULL
      WHERE told.told_name <> '' AND told.deleted_at IS NULL`,
  },
  {
    name: 'open invitations',
    finds:
      'addresses with several open invitations of one organisation: withdraw all but one, then REINDEX DATABASE',
    wrong: `SELECT 'organisation ' || organisation_id || ', ' || min(email) AS example FROM invitations
      WHERE accepted_at IS NULL AND deleted_at IS NULL
      GROUP BY organisation_id, fold_case(email) || '' HAVING count(*) > 1`,
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
