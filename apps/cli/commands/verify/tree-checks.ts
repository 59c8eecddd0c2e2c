import type { Check } from './check';

/** The links of all organisations that are not deleted. */
const LINK = `
  link AS (
    SELECT id AS descendant_id, parent_id AS ancestor_id FROM organisations
    WHERE deleted_at IS NULL AND parent_id IS NOT NULL
    UNION
    SELECT id, reseller_id FROM organisations WHERE deleted_at IS NULL AND reseller_id IS NOT NULL
  )`;

/**
 * What lies above each organisation as the closure table says of those that it is linked to. In a tree without circles
 * the table is right where this equals it: from the top down, each step follows from the one before.
 */
const ONE_STEP = `
  WITH ${LINK}, expected AS (
    SELECT descendant_id, ancestor_id FROM link
    UNION
    SELECT link.descendant_id, c.ancestor_id
    FROM link JOIN organisation_closure c ON c.descendant_id = link.ancestor_id
  )`;

/** What lies above each organisation as the links alone say: step by step, however far. */
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

/** Organisations whose count is not what the closure table says, with what it says. */
const COUNTED = `
  SELECT o.id, coalesce(c.beneath, 0) AS beneath
  FROM organisations o LEFT JOIN (
    SELECT ancestor_id, count(*)::integer AS beneath FROM organisation_closure GROUP BY ancestor_id
  ) c ON c.ancestor_id = o.id WHERE o.beneath_count <> coalesce(c.beneath, 0)`;

const RECOUNT = `UPDATE organisations o SET beneath_count = counted.beneath FROM (${COUNTED}) counted
  WHERE o.id = counted.id`;

/** Ways are at most this many organisations long, both ends counted (decisions.md section 11). */
const MAX_DEPTH = 32;

/** The tree of organisations. What lies beneath what decides who may read what. */
export const TREE_CHECKS: readonly Check[] = [
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
    // As many lie above as there are steps, or more.
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
    wrong: `SELECT 'grant ' || a.id AS example FROM acls a WHERE a.giver_organisation_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM organisation_closure c
        WHERE c.ancestor_id = a.giver_organisation_id AND c.descendant_id = a.organisation_id)`,
    repair: [
      `DELETE FROM acls a WHERE a.giver_organisation_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM organisation_closure c
        WHERE c.ancestor_id = a.giver_organisation_id AND c.descendant_id = a.organisation_id)`,
    ],
  },
];
