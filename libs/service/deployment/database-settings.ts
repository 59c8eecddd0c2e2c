import { OperatorError } from '@app/config/operator-errors';
import { REQUEST_LIMITS, SAME_ANSWERS } from '@app/platform/database/database-limits';
import { DatabasePool } from '@app/platform/database/database-pool';

/** A setting of the database, its role or its pooler changes answers. */
class ChangedAnswers extends OperatorError {}

/** Settings that no session may change by itself, or that PostgreSQL has only since version 17. */
const NOT_OURS = { session_replication_role: 'origin', transaction_timeout: '0' };

const EXPECTED: Readonly<Record<string, string>> = {
  ...SAME_ANSWERS,
  ...NOT_OURS,
};

const FOUND = `SELECT name, setting FROM pg_settings WHERE name = ANY ($1)`;

/** The schema of the tables, and the one in which new connections look for them. */
const SCHEMAS = `
  SELECT current_schema() AS current, (SELECT min(relnamespace::regnamespace::text) FROM pg_class
    WHERE relname = 'organisation_closure' AND to_regclass('organisation_closure') IS NULL) AS stored`;

/** What changes answers, in one line; undefined if nothing does. The connections are those of requests. */
export async function oddSetting(databaseUrl: string, keepsSessions: boolean): Promise<string | undefined> {
  const pool = new DatabasePool({ connectionString: databaseUrl, keepsSessions, limits: REQUEST_LIMITS });
  try {
    const { rows } = await pool.query<{ name: string; setting: string }>(FOUND, [Object.keys(EXPECTED)]);
    for (const { name, setting } of rows) {
      const expected = EXPECTED[name];
      // DateStyle also holds the order of the parts of a date that is read, which ISO does not need.
      if (expected === undefined || setting.split(',', 1)[0] === expected) continue;
      const remedy =
        keepsSessions || name in NOT_OURS
          ? 'ALTER DATABASE or ALTER ROLE … RESET'
          : 'run "cli database-role-settings"';
      return `connections to the database have ${name} = ${setting} instead of ${expected}, which changes answers: ${remedy}`;
    }
    const { rows: schemas } = await pool.query<{ current: string | null; stored: string | null }>(SCHEMAS);
    const [{ current, stored } = { current: null, stored: null }] = schemas;
    if (stored !== null)
      return (
        `search_path of the database or its role leads to the schema ${current ?? '(none)'}, but the ` +
        `tables of the service are in ${stored}: reset search_path`
      );
    if (current === null)
      return 'search_path of the database or its role names no schema that is there: reset search_path';
    return undefined;
  } finally {
    await pool.end();
  }
}

/** For a start. */
export async function assertSameAnswers(databaseUrl: string, keepsSessions: boolean): Promise<void> {
  const odd = await oddSetting(databaseUrl, keepsSessions);
  if (odd !== undefined) throw new ChangedAnswers(odd);
}
