import type { EntityManager } from 'typeorm';
import type { Person } from '@app/lifecycle/personal-data';
import { AuditTraces } from './audit-traces';
import { rangesOf } from './known-people';

/** A record with an address or a name of an erased person. */
export interface NamingRecord {
  readonly id: number | null;
  readonly organisationId: number | null;
  readonly fields: readonly string[];
}

/** A table with an address or a name of an erased person. */
export interface StillNaming {
  readonly table: string;
  /** Null if the table is too large for one search. */
  readonly rows: number | null;
  /** The first records. */
  readonly records: readonly NamingRecord[];
}

/** Runs work in a transaction whose failure does not end the erasure. */
export type Run = <Result>(work: (manager: EntityManager) => Promise<Result>) => Promise<Result>;

interface SearchedTable {
  readonly name: string;
  readonly table: string;
  readonly fields: readonly string[];
  readonly hasId: boolean;
  readonly hasOrganisation: boolean;
}

/** Tables with text columns. */
const TABLES = `
  SELECT format('%I.%I', table_schema, table_name) AS name,
    CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS "table",
    array_agg(quote_ident(column_name) ORDER BY ordinal_position)
      FILTER (WHERE udt_name ~ '^_?(text|varchar|bpchar|citext|json|jsonb)$') AS fields,
    bool_or(column_name = 'id') AS "hasId", bool_or(column_name = 'organisation_id') AS "hasOrganisation"
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_type = 'BASE TABLE' AND table_schema IN (current_schema(), 'graphile_worker')
  GROUP BY 1, 2 HAVING bool_or(udt_name ~ '^_?(text|varchar|bpchar|citext|json|jsonb)$') ORDER BY 2`;

/** Maximum records that a report names for each table. */
const MOST_RECORDS = 20;

/**
 * Searches all tables for addresses and full names of a person, and the person's organisation also for user names. For example,
 * a note about an organisation may contain an address without being personal data of the person.
 */
export async function stillNaming(run: Run, person: Person): Promise<StillNaming[]> {
  const found: StillNaming[] = [];
  const tables = await run((manager) => manager.query<(SearchedTable & { fields: string[] })[]>(TABLES));
  for (const table of tables) {
    const naming = await search(run, table, person);
    if (naming.rows !== 0) found.push(naming);
  }
  return found;
}

async function search(run: Run, searched: SearchedTable, person: Person): Promise<StillNaming> {
  const { table } = searched;
  const records: NamingRecord[] = [];
  let rows = 0;
  try {
    // The largest table. Its ids have few gaps.
    const ranges =
      table === 'audit_log' ? rangesOf(await run((manager) => AuditTraces.last(manager))) : [undefined];
    for (const range of ranges) {
      const found = await run((manager) =>
        manager.query<(NamingRecord & { total: string })[]>(statementOf(searched, range), [
          person.named,
          person.within,
          person.organisationId,
        ]),
      );
      rows += Number(found[0]?.total ?? 0);
      for (const { id, organisationId, fields } of found.slice(0, MOST_RECORDS - records.length))
        records.push({ id: id === null ? null : Number(id), organisationId, fields });
    }
    return { table, rows, records };
  } catch {
    return { table, rows: null, records };
  }
}

function statementOf(
  { name, table, fields, hasId, hasOrganisation }: SearchedTable,
  range: readonly [number, number] | undefined,
): string {
  // Other users of the organisation may have a name that equals the person's user name.
  const isOwn = hasOrganisation && table !== 'users' ? 'organisation_id = $3::integer' : ownRow(table);
  const pattern = `CASE WHEN ${isOwn} THEN $2 ELSE $1 END`;
  const naming = fields.map((field) => `CASE WHEN ${field}::text ~* ${pattern} THEN '${field}' END`);
  const rows = range === undefined ? 'true' : `id BETWEEN ${range[0]} AND ${range[1]}`;
  return `
    SELECT ${hasId ? 'id' : 'NULL'} AS id, ${hasOrganisation ? 'organisation_id' : 'NULL'} AS "organisationId",
      array_remove(ARRAY[${naming.join(', ')}], NULL) AS fields, count(*) OVER () AS total
    FROM ${name} WHERE ${rows} AND concat_ws(E'\\n', ${fields.map((field) => `${field}::text`).join(', ')}) ~* ${pattern}
    ORDER BY 1 LIMIT ${MOST_RECORDS}`;
}

/** Condition for the organisation's own row. It casts $3, which otherwise would have no type. */
const ownRow = (table: string): string =>
  table === 'organisations' ? 'id = $3::integer' : '$3::integer IS NULL';
