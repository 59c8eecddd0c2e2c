import { SettingError } from '@app/config/operator-errors';
import { DatabasePool } from '@app/platform/database/database-pool';

interface Connection {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/** Whether a database is marked for tests, and whether it can still be marked. */
interface Marks {
  readonly isMarked: boolean;
  readonly isUnused: boolean;
}

const ONLY_AT_FIRST_START =
  'is on, but this database is in use already and not marked for tests: it takes an empty one at its first start';

/**
 * With TEST_CLOCK on, refuses a customers' database. With TEST_CLOCK off, refuses a database of tests,
 * because its times are not real. Runs before any migration or other change.
 */
export async function assertTestClockFits(databaseUrl: string, testClock: boolean): Promise<void> {
  const { isMarked, isUnused } = await marksIn(databaseUrl);
  if (isMarked && !testClock)
    throw new SettingError(
      'TEST_CLOCK must be on: this database is marked for tests, its clock may be moved',
    );
  if (testClock && !isMarked && !isUnused) throw new SettingError(`TEST_CLOCK ${ONLY_AT_FIRST_START}`);
}

/** Marks a database for tests, in the transaction that creates its first admin. */
export async function markForTestClock(connection: Connection): Promise<void> {
  try {
    await connection.query('INSERT INTO test_clock DEFAULT VALUES');
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'test_clock_of_unused_database') throw error;
    throw new SettingError(`TEST_CLOCK ${ONLY_AT_FIRST_START}`);
  }
}

async function marksIn(databaseUrl: string): Promise<Marks> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    return await marksOf(pool);
  } finally {
    await pool.end();
  }
}

async function marksOf(connection: Connection): Promise<Marks> {
  const { rows: tables } = await connection.query(
    `SELECT FROM pg_class WHERE oid = to_regclass('test_clock')`,
  );
  if (tables.length === 0) return { isMarked: false, isUnused: true };
  const { rows } = (await connection.query(
    'SELECT EXISTS (SELECT FROM test_clock) AS "isMarked", is_unused_database() AS "isUnused"',
  )) as { rows: Marks[] };
  return rows[0] as Marks;
}
