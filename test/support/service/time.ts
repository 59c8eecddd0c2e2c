import { TestClockService, UNMOVED_INSTANTS } from '@app/edge/test-clock/test-clock.service';
import { Transactions } from '@app/platform/database/transactions';
import { TEST_CONTEXT } from './jobs';
import type { ReachableService, TestService } from './service';

/** The trigger refuses the mark of a database that is in use. Here it stands for one move alone. */
const MARK = `BEGIN; SET LOCAL session_replication_role = replica;
  ALTER TABLE test_clock DISABLE TRIGGER test_clock_of_unused_database;
  INSERT INTO test_clock DEFAULT VALUES;
  ALTER TABLE test_clock ENABLE ALWAYS TRIGGER test_clock_of_unused_database; COMMIT`;
const UNMARK = 'BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM test_clock; COMMIT';

/**
 * Lets time pass for all that the database holds, as `POST /testClock` does: logins end by it too. Not on a
 * shared service, whose time is that of other files.
 * @param time an interval of PostgreSQL
 */
export async function letTimePass(service: TestService, time: string): Promise<void> {
  const [passed] = await service.sql<{ seconds: number }>`
    SELECT extract(epoch FROM ${time}::interval)::integer AS seconds`;
  await service.sql(MARK);
  try {
    const clock = new TestClockService(service.app.get(Transactions));
    await clock.move(TEST_CONTEXT, passed?.seconds as number);
  } finally {
    await service.sql(UNMARK);
  }
}

/** The rows of a table that a test means, by the value of a column of each. */
type Rows = Readonly<Record<string, number | string>>;

/**
 * The same for some rows alone: all their times move, so that none of them is older than its beginning, and
 * no trigger sees it.
 * @param time an interval of PostgreSQL
 */
export const makeOlder = (
  service: ReachableService,
  table: string,
  rows: Rows,
  time: string,
): Promise<void> => moveBack(service, table, rows, `interval '${time}'`);

/** Lets so much time pass for some rows that they have just expired. */
export const letExpire = (
  service: ReachableService,
  table: string,
  rows: Rows,
  column = 'expires_at',
): Promise<void> => moveBack(service, table, rows, `${column} - now() + interval '1 second'`);

async function moveBack(
  { sql }: ReachableService,
  table: string,
  rows: Rows,
  interval: string,
): Promise<void> {
  const columns = await sql<{ name: string }>`
    SELECT quote_ident(attname) AS name FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND atttypid = 'timestamptz'::regtype
      AND ${table} || '.' || attname <> ALL (${Object.keys(UNMOVED_INSTANTS)}::text[])`;
  const conditions = Object.entries(rows).map(
    ([column, value]) => `${column} = ${typeof value === 'number' ? value : `'${value.replaceAll("'", "''")}'`}`,
  );
  const moves = columns.map(({ name }) => `${name} = ${name} - (${interval})`);
  const [moved] = await sql<{ count: number }>(
    `SELECT count(*)::integer FROM ${table} WHERE ${conditions.join(' AND ')}`,
  );
  if (moved?.count === 0) throw new Error(`No such row of ${table}: ${conditions.join(', ')}`);
  await sql(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE ${table} SET ${moves.join(', ')} WHERE ${conditions.join(' AND ')}; COMMIT`);
}
