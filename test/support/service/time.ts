import { TestClockService, UNMOVED_INSTANTS } from '@app/edge/test-clock/test-clock.service';
import { Transactions } from '@app/platform/database/transactions';
import { CredentialUse } from '@app/security/access/credential-use';
import { asAdmin } from './client';
import { TEST_CONTEXT } from './jobs';
import type { ReachableService, TestService } from './service';
import { until } from './until';

/*
 * A query of several statements is one transaction. The trigger refuses the mark of a database that is in
 * use: here it stands for one move alone.
 */
const MARK = `SET LOCAL session_replication_role = replica;
  ALTER TABLE test_clock DISABLE TRIGGER test_clock_of_unused_database;
  INSERT INTO test_clock DEFAULT VALUES;
  ALTER TABLE test_clock ENABLE ALWAYS TRIGGER test_clock_of_unused_database`;
const UNMARK = 'SET LOCAL session_replication_role = replica; DELETE FROM test_clock';

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
    const clock = new TestClockService(service.app.get(Transactions), service.app.get(CredentialUse));
    await clock.move(TEST_CONTEXT, passed?.seconds as number);
  } finally {
    await service.sql(UNMARK);
  }
}

/** The same by the route, on a service with `TEST_CLOCK`. */
export async function moveTestClock(service: TestService, seconds: number): Promise<void> {
  await (await asAdmin(service)).post('/testClock', { seconds }).expect(204);
}

/** The rows of a table that a test means, by the value of a column of each; `{}` is all. */
type Rows = Readonly<Record<string, number | string>>;

/**
 * The same for some rows alone, which no trigger sees: all their times move, or those that are named, where
 * the others have to stay.
 * @param time an interval of PostgreSQL
 */
export async function makeOlder(
  service: ReachableService,
  table: string,
  rows: Rows,
  time: string,
  columns?: readonly string[],
): Promise<void> {
  const moved = columns ?? (await timesOf(service, table));
  await change(
    service,
    table,
    rows,
    moved.map((column) => `${column} = ${column} - interval '${time}'`),
  );
}

/** Lets rows expire at this moment and leaves their other times: only their end makes them invalid. */
export const letExpire = (
  service: ReachableService,
  table: string,
  rows: Rows,
  column = 'expires_at',
): Promise<void> => change(service, table, rows, [`${column} = now()`]);

/** The same with an end that is still to come, so that a test needs not wait for most of a term. */
export const letExpireIn = (
  service: ReachableService,
  table: string,
  rows: Rows,
  time: string,
): Promise<void> => change(service, table, rows, [`expires_at = now() + interval '${time}'`]);

/** Lets what counts for minutes end, such as the wait after wrong codes; what counts for the day goes on. */
export async function endWaits({ sql }: ReachableService): Promise<void> {
  await sql`UPDATE attempts SET resets_at = now()
    WHERE resets_at <> date_trunc('day', now(), 'UTC') + interval '1 day'`;
}

/**
 * For tests of what counts by the hour or the day, UTC, and begins again at its end: a test that would begin
 * in the last minute of an hour waits for its end.
 */
export function useOneHour(): void {
  const isLastMinute = (): boolean => new Date().getUTCMinutes() === 59;
  beforeEach(() => until(() => !isLastMinute()));
}

async function timesOf({ sql }: ReachableService, table: string): Promise<string[]> {
  const columns = await sql<{ name: string }>`
    SELECT quote_ident(attname) AS name FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND atttypid = 'timestamptz'::regtype
      AND ${table} || '.' || attname <> ALL (${Object.keys(UNMOVED_INSTANTS)}::text[])`;
  return columns.map(({ name }) => name);
}

async function change(
  { sql }: ReachableService,
  table: string,
  rows: Rows,
  assignments: readonly string[],
): Promise<void> {
  const conditions = Object.entries(rows)
    .map(([column, value]) => `AND ${column} = '${String(value).replaceAll("'", "''")}'`)
    .join(' ');
  if (conditions !== '' && (await sql(`SELECT FROM ${table} WHERE true ${conditions}`)).length === 0)
    throw new Error(`There is no row of ${table} ${conditions}`);
  await sql(`SET LOCAL session_replication_role = replica;
    UPDATE ${table} SET ${assignments.join(', ')} WHERE true ${conditions}`);
}
