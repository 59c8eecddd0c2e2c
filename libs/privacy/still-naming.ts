import type { Transactions } from '@app/core/database/transactions';
import type { Person } from '@app/core/privacy/personal-data';

/** A table that still holds an address of an erased person. */
export interface StillNaming {
  readonly table: string;
  /** Null where the table is too large to be searched at once. */
  readonly rows: number | null;
}

const TABLES = `
  SELECT format('%I.%I', table_schema, table_name) AS name,
    CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS "table"
  FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema IN (current_schema(), 'graphile_worker') ORDER BY 2`;

/**
 * Looks through all tables for addresses of a person, those aside that were gone through row by row: a note about an
 * organisation may hold one, and is not the person's.
 */
export async function stillNaming(
  transactions: Transactions,
  person: Person,
  searched: ReadonlySet<string>,
): Promise<StillNaming[]> {
  const found: StillNaming[] = [];
  const tables = await transactions.run((manager) =>
    manager.query<{ name: string; table: string }[]>(TABLES),
  );
  for (const { name, table } of tables) {
    if (searched.has(table) || table === 'audit_log') continue;
    const rows = await countIn(transactions, name, person.everywhere);
    if (rows !== 0) found.push({ table, rows });
  }
  return found;
}

async function countIn(transactions: Transactions, table: string, pattern: string): Promise<number | null> {
  try {
    const [row] = await transactions.run(
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
