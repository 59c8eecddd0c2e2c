import type { RequestContext } from '@app/platform/context/request-context';
import type { Transactions } from '@app/platform/database/transactions';
import type { Person } from '@app/lifecycle/personal-data';

/** A table with an address of an erased person. */
export interface StillNaming {
  readonly table: string;
  /** Null if the table is too large for one search. */
  readonly rows: number | null;
}

const TABLES = `
  SELECT format('%I.%I', table_schema, table_name) AS name,
    CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS "table"
  FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema IN (current_schema(), 'graphile_worker') ORDER BY 2`;

/**
 * Searches all tables for addresses of a person, except tables that the erasure handled row by row. A note about an
 * organisation, for example, may hold an address without being personal data of the person.
 */
export async function stillNaming(
  ctx: RequestContext,
  transactions: Transactions,
  person: Person,
  searched: ReadonlySet<string>,
): Promise<StillNaming[]> {
  const found: StillNaming[] = [];
  const tables = await transactions.run(ctx, (manager) =>
    manager.query<{ name: string; table: string }[]>(TABLES),
  );
  for (const { name, table } of tables) {
    if (searched.has(table) || table === 'audit_log') continue;
    const rows = await countIn(ctx, transactions, name, person.everywhere);
    if (rows !== 0) found.push({ table, rows });
  }
  return found;
}

async function countIn(
  ctx: RequestContext,
  transactions: Transactions,
  table: string,
  pattern: string,
): Promise<number | null> {
  try {
    const [row] = await transactions.run(
      ctx,
      (manager) =>
        manager.query<{ count: number }[]>(
          `SELECT count(*) AS count FROM ${table} AS searched WHERE to_jsonb(searched)::text ~* $1`,
          [pattern],
        ),
      { isLong: true },
    );
    return Number(row?.count ?? 0);
  } catch {
    return null;
  }
}
