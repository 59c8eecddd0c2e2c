import type { TestService } from '../service/service';

interface Table {
  readonly name: string;
}

const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname IN ('public', 'graphile_worker') ORDER BY 1`;

/**
 * Row count and checksum of every table, the waiting jobs included: equal before and after
 * means nothing was written.
 */
export async function storedState(service: TestService): Promise<Record<string, string>> {
  const tables = await service.sql<Table>(TABLES);
  const sums = tables.map(
    ({ name }) => `SELECT '${name}' AS name,
      count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS sum FROM ${name} t`,
  );
  const rows = await service.sql<{ name: string; sum: string }>(sums.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/**
 * From now on PostgreSQL refuses every write as "not now", which the service answers with 503: whatever a
 * caller may do can be tried thousands of times, deletions included, and the world stays as it is. After a
 * refused lock the service would give up the connection, with the other reads on it.
 */
export async function raiseWriteBarrier(service: TestService): Promise<void> {
  await service.sql(`CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'write barrier' USING ERRCODE = 'insufficient_resources'; END $$`);
  const tables =
    await service.sql<Table>(`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname = 'public'`);
  for (const { name } of tables) {
    await service.sql(`CREATE TRIGGER "0_write_barrier" BEFORE INSERT OR UPDATE OR DELETE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_write()`);
  }
}

/** Ends what `raiseWriteBarrier` began. */
export const lowerWriteBarrier = (service: TestService): Promise<object[]> =>
  service.sql('DROP FUNCTION refuse_write() CASCADE');
