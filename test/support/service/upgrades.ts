import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { CATALOGUE } from './catalogue';
import { runStatement } from './databases';

/**
 * What the tests of upgrades ask of migrations. `upgrades.e2e-spec.ts` tries each question
 * on made-up migrations too.
 */
export type Migration = new () => MigrationInterface;

/** Rows of each filled table: a migration that looks through one of them touches at least so many. */
const MANY = 2000;

/**
 * Rows of tables that grow with customers, beside those of a dump. Triggers fill others, as the audit log.
 */
const FILL = [
  `INSERT INTO organisations (name, tax_number, parent_id)
    SELECT 'Customer ' || n, 'NL' || n, 1 FROM generate_series(1, ${MANY}) n`,
  `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
    SELECT id, 'user' || id || '@customer.example', 'Jan', 'Bakker', '' FROM organisations WHERE name LIKE 'Customer %'`,
  `INSERT INTO logins (user_id, digest, address, expires_at)
    SELECT id, sha256(id::text::bytea), '192.0.2.1', now() + interval '1 day' FROM users`,
  `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
    SELECT organisation_id, id, 'email', 'at' || id, 'at' || id FROM users`,
  `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
    SELECT organisation_id, id, 'new' || id || '@customer.example', 'Jan', 'Bakker', sha256(username::bytea),
      now() + interval '1 day' FROM users WHERE username LIKE 'user%@customer.example'`,
  `INSERT INTO api_keys (user_id, digest, name, expires_at)
    SELECT id, sha256(('key' || id)::bytea), 'Key', now() + interval '1 day' FROM users`,
  `INSERT INTO teams (organisation_id, name) SELECT organisation_id, 'Team' FROM users`,
  `ANALYZE`,
];

/**
 * Each table in a transaction of its own: all databases of a server share its table of locks, and a row takes
 * some.
 */
export async function fill(url: string): Promise<void> {
  for (const statement of FILL) await runStatement(url, statement);
}

/** What a migration did to the tables that were there before it. */
interface TableWork {
  readonly table: string;
  /** Which file holds the table: another one means that the table was written anew. */
  readonly file: string;
  /** Rows that the running transaction has read or written. */
  readonly rows: number;
}

const TABLE_WORK = `
  SELECT c.relname AS "table", pg_relation_filenode(c.oid)::text AS file,
    (s.seq_tup_read + s.idx_tup_fetch + s.n_tup_ins + s.n_tup_upd + s.n_tup_del)::integer AS rows
  FROM pg_class c JOIN pg_stat_xact_user_tables s ON s.relid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`;

/** TypeORM's connection to a database, with these migrations. */
async function withMigrations<Result>(
  url: string,
  migrations: readonly Migration[],
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const options = { ...dataSourceOptions(url, 2), migrations: [...migrations], logger: 'debug' as const };
  const dataSource = await new DataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Runs those of the migrations that the database lacks. */
export const upgrade = (url: string, migrations: readonly Migration[]): Promise<unknown> =>
  withMigrations(url, migrations, (dataSource) => dataSource.runMigrations());

/**
 * Runs those of the migrations that the database lacks, and returns for each the tables that it held
 * for longer than a moment.
 */
export const tablesHeld = (
  url: string,
  migrations: readonly Migration[],
): Promise<Record<string, readonly string[]>> =>
  withMigrations(url, [], async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      const recorded = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
      const found: Record<string, readonly string[]> = {};
      for (const Migration of migrations) {
        if (recorded.some(({ name }) => name === Migration.name)) continue;
        found[Migration.name] = await tablesHeldBy(runner, new Migration());
      }
      return found;
    } finally {
      await runner.release();
    }
  });

async function tablesHeldBy(runner: QueryRunner, migration: MigrationInterface): Promise<string[]> {
  if (migration.transaction === false) {
    await migration.up(runner);
    return [];
  }
  await runner.startTransaction();
  const before = (await runner.query(TABLE_WORK)) as TableWork[];
  await migration.up(runner);
  const after = (await runner.query(TABLE_WORK)) as TableWork[];
  await runner.commitTransaction();
  const heavy = after.filter(({ table, file, rows }) => {
    const earlier = before.find((entry) => entry.table === table);
    return earlier !== undefined && (earlier.file !== file || rows - earlier.rows >= MANY);
  });
  return heavy.map(({ table }) => table);
}

/**
 * Migrations that stand before one that the database has run: a customer would run them in another
 * order than a new database.
 */
export const outOfOrder = (url: string, migrations: readonly Migration[]): Promise<readonly string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const isDone = migrations.map(({ name }) => rows.some((row) => row.name === name));
    const last = isDone.lastIndexOf(true);
    if (last === -1) throw new Error('the database has run none of the migrations');
    return migrations.filter((_, position) => position < last && !isDone[position]).map(({ name }) => name);
  });

/** The statements that no longer mean anything, with the error of each. */
export const refusedStatements = (
  url: string,
  statements: readonly string[],
): Promise<Record<string, string>> =>
  withClient(url, async (client) => {
    await client.query('SET search_path = public');
    const refused: Record<string, string> = {};
    for (const statement of statements) {
      await client.query(`PREPARE old AS ${statement}`).then(
        () => client.query('DEALLOCATE old'),
        (error: Error) => (refused[statement] = error.message),
      );
    }
    return refused;
  });

/** Runs the migrations after the first down, and then up again. */
export const downAndUp = (url: string, migrations: readonly Migration[]): Promise<void> =>
  withMigrations(url, migrations, async (dataSource) => {
    for (let done = migrations.length; done > 1; done--) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
  });

interface Definition {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * PostgreSQL writes an expression that comes from a dump with other casts and brackets
 * than that of a migration.
 */
const CASTS_AND_BRACKETS = /::(?:text|character varying)(?:\[\])?|[()]/g;

/** The schema of a database. */
export const catalogueOf = (url: string): Promise<readonly Definition[]> =>
  withClient(url, async (client) => {
    await client.query('SET search_path = public');
    const { rows } = await client.query<Definition>(CATALOGUE);
    return rows.map((row) => ({ ...row, definition: row.definition.replaceAll(CASTS_AND_BRACKETS, '') }));
  });

/** Tables without a row. A migration that only fails on rows would pass. */
export const emptyTables = (url: string): Promise<readonly string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const empty: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await client.query(`SELECT FROM public.${name} LIMIT 1`);
      if (rowCount === 0) empty.push(name);
    }
    return empty;
  });

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
