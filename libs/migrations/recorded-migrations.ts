import { OperatorError } from '@app/config/settings';
import { DatabasePool } from '@app/platform/database/database-pool';
import { MIGRATIONS } from './all';
import { assertFit } from './database-fitness';

/** Neither a build nor a command can use the database. */
class UnknownHistory extends OperatorError {
  constructor(migration: string) {
    super(
      `the database, or the backup that it was restored from, is older than release 1.0.0 (its first migration is ${migration}): no build can bring it up to date. Take a new database (DATABASE_URL, or without it DATA_DIR)`,
    );
  }
}

interface Connection {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/**
 * The names of the migrations that a database has run, oldest first; empty in a new database. Throws an error
 * if they begin with another one than this build's first, and if the database is not fit for any. A newer
 * build may have added more.
 */
export async function recordedMigrations(connection: Connection): Promise<string[]> {
  await assertFit(connection);
  const { rows: tables } = await connection.query(
    `SELECT FROM pg_class WHERE oid = to_regclass('migrations')`,
  );
  if (tables.length === 0) return [];
  const { rows } = await connection.query('SELECT name FROM migrations ORDER BY id');
  const names = (rows as { name: string }[]).map(({ name }) => name);
  const [first] = names;
  if (first !== undefined && first !== MIGRATIONS[0]?.name) throw new UnknownHistory(first);
  return names;
}

/** For a start, before it reads any other table. */
export async function assertKnownHistory(databaseUrl: string): Promise<void> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    await recordedMigrations(pool);
  } finally {
    await pool.end();
  }
}
