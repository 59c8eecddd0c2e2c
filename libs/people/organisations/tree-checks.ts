import type { DataCheck } from '@app/lifecycle/data-check';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';

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

/** The customer of each organisation, from the operator down (rule organisations 22). */
const PLACED = `
  WITH RECURSIVE placed (id, customer_id, bounds) AS (
    SELECT ${OPERATOR_ORGANISATION}, ${OPERATOR_ORGANISATION}, true
    UNION ALL
    SELECT o.id, CASE WHEN above.bounds THEN o.id ELSE above.customer_id END, o.is_reseller
    FROM placed above JOIN organisations o ON next_up(o.parent_id, o.reseller_id) = above.id
    WHERE o.deleted_at IS NULL
  )`;

/** Maximum organisations on a path, including both ends (rule organisations 19). */
const MAX_DEPTH = 32;

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
    name: 'customers',
    finds: 'organisations that are stored with another customer than that on their way up to the operator',
    suspect: `SELECT 1 FROM organisations o WHERE o.deleted_at IS NULL
      AND o.customer_id <> coalesce(customer_of(o), o.id) LIMIT 1`,
    wrong: `${PLACED} SELECT 'organisation ' || o.id AS example FROM organisations o JOIN placed USING (id)
      WHERE o.customer_id <> placed.customer_id`,
    repair: [
      TREE_LOCK,
      `${PLACED} UPDATE organisations o SET customer_id = placed.customer_id FROM placed
        WHERE o.id = placed.id AND o.customer_id <> placed.customer_id`,
    ],
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
];
