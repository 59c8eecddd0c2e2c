import type { TestService } from '../service/service';

/** What the customer of an organisation is read from. */
interface PlacedRow {
  readonly id: number;
  readonly parent: number | null;
  readonly reseller: number | null;
  readonly isReseller: boolean;
}

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
      customers: await service.sql(
        `SELECT id, customer_id AS customer FROM organisations WHERE deleted_at IS NULL ORDER BY 1`,
      ),
    },
    computed: {
      closure: await service.sql<TreeRow>(`${REACHED} SELECT ancestor, descendant FROM above ORDER BY 1, 2`),
      counts: await service.sql(
        `${REACHED} SELECT o.id, count(above.descendant)::integer AS count
         FROM organisations o LEFT JOIN above ON above.ancestor = o.id
         WHERE o.deleted_at IS NULL GROUP BY o.id ORDER BY 1`,
      ),
      customers: customersOf(
        await service.sql<PlacedRow>(
          `SELECT id, parent_id AS parent, reseller_id AS reseller, is_reseller AS "isReseller"
           FROM organisations WHERE deleted_at IS NULL ORDER BY 1`,
        ),
      ),
    },
  };
}

/**
 * The way up leads to the parent, or to the reseller where the parent is the operator. The customer is the
 * last organisation on it before the operator or a reseller (rule organisations 22).
 */
function customersOf(rows: readonly PlacedRow[]): readonly { id: number; customer: number }[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.map(({ id }) => {
    let customer = id;
    for (;;) {
      const { parent, reseller } = byId.get(customer) as PlacedRow;
      const above = parent === 1 ? (reseller ?? 1) : (parent ?? 1);
      if (above === 1 || byId.get(above)?.isReseller === true) return { id, customer };
      customer = above;
    }
  });
}
