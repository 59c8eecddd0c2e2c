import { OperatorError } from '@app/config/operator-errors';
import { DatabasePool } from '@app/platform/database/database-pool';
import { MIGRATIONS } from './all';
import { assertFit } from './database-fitness';

/** Neither a build nor a command can use the database. */
class UnknownHistory extends OperatorError {
  constructor(migration: string) {
    super(
      'the database, or the backup that it was restored from, is older than release 1.0.0 (its ' +
        `first migration is ${migration}): no build can bring it up to date. Take a new database ` +
        '(DATABASE_URL, or without it DATA_DIR)',
    );
  }
}

/** A migration of the same name made another schema than this build's. */
class OtherSchema extends OperatorError {
  constructor(migration: string, recorded: string | undefined, own: string) {
    const made = recorded === undefined ? 'without a digest' : `digest ${recorded.slice(0, DIGITS)}`;
    super(
      `another build has made the schema of the database: its ${migration} is not that of this ` +
        `build (${made}, here ${own.slice(0, DIGITS)}), and no migration leads from one to the ` +
        'other. Run the build that made it, or take a new database (DATABASE_URL, or without it ' +
        'DATA_DIR)',
    );
  }
}

/** Of a digest, for people. */
const DIGITS = 12;

interface Connection {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/** The migrations of a database, by their names. */
export interface MigrationState {
  /** Known to this build and not recorded: they would run, in this order. */
  readonly pending: readonly string[];
  /** Recorded, but not known to this build: a newer one was here. */
  readonly unknown: readonly string[];
}

/**
 * Throws an error if the migrations of the database begin with another one than this build's first, if one
 * of them ran another SQL than this build's, and if the database is not fit for any. A newer build may have
 * added more.
 */
export async function migrationState(connection: Connection): Promise<MigrationState> {
  await assertFit(connection);
  const own = MIGRATIONS.map((Migration) => ({ name: Migration.name, digest: new Migration().digest() }));
  const recorded = await recordedNames(connection);
  const [first] = recorded;
  if (first !== undefined && first !== own[0]?.name) throw new UnknownHistory(first);
  // Read after the names: both are written in one transaction, which may commit in between.
  const digests = await recordedDigests(connection);
  for (const { name, digest } of own) {
    const found = digests.get(name);
    if (recorded.includes(name) && found !== digest) throw new OtherSchema(name, found, digest);
  }
  return {
    pending: own.map(({ name }) => name).filter((name) => !recorded.includes(name)),
    unknown: recorded.filter((name) => !own.some((migration) => migration.name === name)),
  };
}

/** Oldest first; none in a new database. */
async function recordedNames(connection: Connection): Promise<string[]> {
  if (!(await isThere(connection, 'migrations'))) return [];
  const { rows } = await connection.query('SELECT name FROM migrations ORDER BY id');
  return (rows as { name: string }[]).map(({ name }) => name);
}

async function recordedDigests(connection: Connection): Promise<ReadonlyMap<string, string>> {
  if (!(await isThere(connection, 'schema_digests'))) return new Map();
  const { rows } = await connection.query('SELECT migration, sha256 AS digest FROM schema_digests');
  return new Map((rows as { migration: string; digest: string }[]).map((row) => [row.migration, row.digest]));
}

async function isThere(connection: Connection, table: string): Promise<boolean> {
  const { rows } = await connection.query(`SELECT FROM pg_class WHERE oid = to_regclass('${table}')`);
  return rows.length > 0;
}

/** What an operator is told where a newer build was here; undefined where none was. */
export const newerSchema = ({ unknown }: MigrationState): string | undefined =>
  unknown.length === 0
    ? undefined
    : `the database has run ${unknown.length} ${unknown.length === 1 ? 'migration' : 'migrations'} ` +
      `that this build does not know (${unknown.join(', ')}): a newer build has been here`;

/** For a start, before it reads any other table. Returns warnings. */
export async function assertKnownHistory(databaseUrl: string): Promise<readonly string[]> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    const newer = newerSchema(await migrationState(pool));
    return newer === undefined ? [] : [newer];
  } finally {
    await pool.end();
  }
}
