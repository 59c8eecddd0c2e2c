import type { TestService } from '../service/service';

interface TreeRow {
  readonly ancestor: number;
  readonly descendant: number;
}

/** The links of every organisation that is not deleted, computed from the rows themselves, step by step. */
const REACHED = `
  WITH RECURSIVE link AS (
    SELECT id AS descendant, parent_id AS ancestor FROM organisations WHERE deleted_at IS NULL AND parent_id IS NOT NULL
    UNION
    SELECT id, reseller_id FROM organisations WHERE deleted_at IS NULL AND reseller_id IS NOT NULL
  ), above AS (
    SELECT ancestor, descendant FROM link
    UNION
    SELECT link.ancestor, above.descendant FROM above JOIN link ON link.descendant = above.ancestor
  )`;

/**
 * The rows that the tree tables should hold (by a recursion over the links), and the rows that they do hold.
 */
export async function treeAndOracle(service: TestService) {
  return {
    stored: {
      closure: await service.sql<TreeRow>(
        `SELECT ancestor_id AS ancestor, descendant_id AS descendant FROM organisation_closure ORDER BY 1, 2`,
      ),
      counts: await service.sql(
        `SELECT id, beneath_count AS count FROM organisations WHERE deleted_at IS NULL ORDER BY 1`,
      ),
    },
    computed: {
      closure: await service.sql<TreeRow>(`${REACHED} SELECT ancestor, descendant FROM above ORDER BY 1, 2`),
      counts: await service.sql(
        `${REACHED} SELECT o.id, count(above.descendant)::integer AS count
         FROM organisations o LEFT JOIN above ON above.ancestor = o.id
         WHERE o.deleted_at IS NULL GROUP BY o.id ORDER BY 1`,
      ),
    },
  };
}
