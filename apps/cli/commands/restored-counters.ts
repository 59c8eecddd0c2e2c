import type { EntityManager } from 'typeorm';

/** Maximum events since the backup that readers of the feed may know. */
const EVENTS_SINCE_BACKUP = 10_000_000;

/** Maximum changes of one record, and maximum new records of one table, since the backup. */
const CHANGES_SINCE_BACKUP = 1_000_000;

/** The tables of records with entity tags, and the columns that the tags contain. */
const VERSIONED = `
  SELECT table_name AS "table", string_agg(format('%1$I = %1$I + ${CHANGES_SINCE_BACKUP}', column_name), ', ') AS change
  FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_name IN ('version', 'billing_version') GROUP BY table_name`;

/** Moves the sequences of the tables $1 forward by $2. */
const SKIP_IDS = `
  SELECT setval(sequence, nextval(sequence) + $2) FROM (
    SELECT CAST(pg_get_serial_sequence(quote_ident(table_name), 'id') AS regclass) AS sequence
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'id' AND table_name = ANY ($1::text[])) ids`;

/**
 * Moves counters beyond every value that may have been given out since the backup. Readers of the feed
 * continue after events that the backup lacks. A client may send the entity tag of a state that the backup
 * lacks, even for a record whose id a new record would get.
 */
export async function skipUsedCounters(manager: EntityManager): Promise<void> {
  await manager.query(SKIP_IDS, [['audit_log'], EVENTS_SINCE_BACKUP]);
  const versioned = await manager.query<{ table: string; change: string }[]>(VERSIONED);
  await manager.query(SKIP_IDS, [versioned.map(({ table }) => table), CHANGES_SINCE_BACKUP]);
  for (const { table, change } of versioned) await manager.query(`UPDATE ${table} SET ${change}`);
}
