import type { EntityManager } from 'typeorm';

/**
 * Maximum identifier in a file. The sequence continues after the largest one and must
 * have room for later records.
 */
export const MAX_IMPORTED_ID = 2_000_000_000;

/** Continues a table's identifiers after `id`. The lock prevents others from drawing one meanwhile. */
export async function moveSequence(manager: EntityManager, table: string, id: number): Promise<void> {
  await manager.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  await manager.query(
    `SELECT setval(sequence, $2::bigint) FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS sequence) named
     WHERE coalesce(pg_sequence_last_value(sequence), 0) < $2::bigint`,
    [table, id],
  );
}

/** The last identifier that a table's sequence has returned. */
export async function lastOfSequence(manager: EntityManager, table: string): Promise<number> {
  const [row] = await manager.query<{ last: number | null }[]>(
    `SELECT pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass) AS last`,
    [table],
  );
  return row?.last ?? 0;
}

/** Draws new identifiers of a table. Returns them in descending order. */
export async function newIds(manager: EntityManager, table: string, count: number): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    `SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id FROM generate_series(1, $2) ORDER BY id DESC`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}
