import type { EntityManager } from 'typeorm';
import { AuditTraces } from './audit-traces';
import { rangesOf, type SearchedWords, type SharedWord } from './known-people';

/** A record with an address or a name of an erased person. */
export interface NamingRecord {
  /** Null in a table without numbers, and for a row of the audit log that a trial writes. */
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

/** The words of a person, and where it was. */
interface Sought extends SearchedWords {
  readonly organisationId: number;
  /** Records that the report names already. */
  readonly shared: readonly SharedWord[];
}

/**
 * Searches all tables for addresses and full names of a person, also in two columns, and the person's
 * organisation also for user names. For example, a note about an organisation may contain an address without
 * being personal data of the person. Rows of the audit log after `lastAuditRow` have no number in the report.
 */
export async function stillNaming(run: Run, sought: Sought, lastAuditRow = Infinity): Promise<StillNaming[]> {
  const found: StillNaming[] = [];
  const tables = await run((manager) => manager.query<(SearchedTable & { fields: string[] })[]>(TABLES));
  for (const table of tables) {
    const naming = await search(run, table, sought, lastAuditRow);
    if (naming.rows !== 0) found.push(naming);
  }
  return found;
}

async function search(
  run: Run,
  searched: SearchedTable,
  sought: Sought,
  lastAuditRow: number,
): Promise<StillNaming> {
  const { table } = searched;
  const named = sought.shared.filter((record) => record.table === table).map(({ id }) => String(id));
  const records: NamingRecord[] = [];
  let rows = 0;
  try {
    // The largest table. Its ids have few gaps.
    const ranges =
      table === 'audit_log' ? rangesOf(await run((manager) => AuditTraces.last(manager))) : [undefined];
    for (const range of ranges) {
      const found = await run((manager) =>
        manager.query<(NamingRecord & { total: string })[]>(statementOf(searched, range), [
          sought.anywhere,
          sought.within,
          sought.organisationId,
          sought.wholeNames,
          named,
        ]),
      );
      rows += Number(found[0]?.total ?? 0);
      for (const { id, organisationId, fields } of found.slice(0, MOST_RECORDS - records.length))
        records.push({ id: numberOf(table, id, lastAuditRow), organisationId, fields });
    }
    return { table, rows, records };
  } catch {
    return { table, rows: null, records };
  }
}

function numberOf(table: string, id: number | null, lastAuditRow: number): number | null {
  if (id === null || (table === 'audit_log' && Number(id) > lastAuditRow)) return null;
  return Number(id);
}

function statementOf(
  { name, table, fields, hasId, hasOrganisation }: SearchedTable,
  range: readonly [number, number] | undefined,
): string {
  // Other users of the organisation may have a name that equals the person's user name.
  const isOwn = hasOrganisation && table !== 'users' ? 'organisation_id = $3::integer' : ownRow(table);
  const pattern = `CASE WHEN ${isOwn} THEN $2 ELSE $1 END`;
  const apart = namesApart(fields);
  const places = new Map(fields.map((field) => [field, `is_named_in(${field}::text, ${pattern})`]));
  for (const [place, condition] of apart)
    places.set(place, [places.get(place), condition].filter((known) => known !== undefined).join(' OR '));
  const naming = [...places].map(([place, condition]) => `CASE WHEN ${condition} THEN '${place}' END`);
  const rows = range === undefined ? 'true' : `id BETWEEN ${range[0]} AND ${range[1]}`;
  const isNew = hasId ? 'NOT (id::text = ANY ($5::text[]))' : '$5::text[] IS NOT NULL';
  const whole = apart.map(([, condition]) => `OR ${condition}`).join(' ');
  return `
    SELECT ${hasId ? 'id' : 'NULL'} AS id, ${hasOrganisation ? 'organisation_id' : 'NULL'} AS "organisationId",
      array_remove(ARRAY[${naming.join(', ')}], NULL) AS fields, count(*) OVER () AS total
    FROM ${name} WHERE ${rows} AND ${isNew} AND $4::text[] IS NOT NULL
      AND (is_named_in(concat_ws(E'\\n', ${fields.map((field) => `${field}::text`).join(', ')}), ${pattern}) ${whole})
    ORDER BY 1 LIMIT ${MOST_RECORDS}`;
}

/** Where a first and a last name stand apart: in two columns, or in the columns of a change. */
function namesApart(fields: readonly string[]): (readonly [place: string, condition: string])[] {
  const isWhole = (first: string, last: string) =>
    `fold_case(trim(${first}) || ' ' || trim(${last})) = ANY ($4::text[])`;
  const columns = fields.includes('first_name') && fields.includes('last_name');
  return [
    ...(columns ? [['first_name, last_name', isWhole('first_name', 'last_name')] as const] : []),
    ...['before', 'after']
      .filter((field) => fields.includes(field))
      .map((field) => [field, isWhole(`${field} ->> 'first_name'`, `${field} ->> 'last_name'`)] as const),
  ];
}

/** Condition for the organisation's own row. It casts $3, which otherwise would have no type. */
const ownRow = (table: string): string =>
  table === 'organisations' ? 'id = $3::integer' : '$3::integer IS NULL';
