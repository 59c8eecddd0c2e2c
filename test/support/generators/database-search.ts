import type { ReachableService } from '../service/service';

interface SearchedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Every column of every table, of all schemas but PostgreSQL's own, whose values can hold a text. */
const COLUMNS = `
  SELECT format('%I.%I', c.table_schema, c.table_name) AS "table", quote_ident(c.column_name) AS "column",
    c.udt_name AS type
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
    AND c.udt_name ~ '^_?(text|varchar|bpchar|char|name|json|jsonb|bytea|inet|cidr|citext|xml|tsvector)$'
  ORDER BY 1, 2`;

/**
 * Where texts stand in a database, in whatever case, also inside of JSON and of bytes, whose hex a text may
 * be: `schema.table.column: text`.
 * @param others longer texts that hold one of them and are not meant
 */
export async function placesOf(
  service: ReachableService,
  texts: readonly string[],
  others: readonly string[] = [],
): Promise<string[]> {
  const places: string[] = [];
  for (const { table, column, type } of await service.sql<SearchedColumn>(COLUMNS)) {
    const text =
      type === 'bytea'
        ? `concat_ws(' ', encode(${column}, 'escape'), encode(${column}, 'hex'))`
        : `${column}::text`;
    const value = others.reduce(
      (shown, _, at) => `replace(${shown}, lower(($2::text[])[${at + 1}]), '')`,
      `lower(${text})`,
    );
    const found = await service.sql<{ word: string }>(
      `SELECT word FROM unnest($1::text[]) AS listed (word)
       WHERE $2::text[] IS NOT NULL AND EXISTS (SELECT 1 FROM ${table} WHERE position(lower(word) IN ${value}) > 0) ORDER BY word`,
      [texts, others],
    );
    places.push(...found.map(({ word }) => `${table}.${column}: ${word}`));
  }
  return places;
}
