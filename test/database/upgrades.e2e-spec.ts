import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '@app/migrations/all';
import { migrate } from '@app/migrations/migrate';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { CATALOGUE } from '../support/service/catalogue';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/service/databases';
import { RELEASES } from '../support/service/releases';

type Migration = new () => MigrationInterface;

/** Rows of each filled table: a migration that looks through one of them touches at least so many. */
const MANY = 2000;

/** Rows of tables that grow with customers, beside those of the dump. Triggers fill others, as the audit log. */
const FILL = `
  INSERT INTO organisations (name, tax_number, parent_id)
    SELECT 'Customer ' || n, 'NL' || n, 1 FROM generate_series(1, ${MANY}) n;
  INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
    SELECT id, 'user' || id || '@customer.example', 'Jan', 'Bakker', '' FROM organisations WHERE name LIKE 'Customer %';
  INSERT INTO logins (user_id, digest, address, expires_at)
    SELECT id, sha256(id::text::bytea), '192.0.2.1', now() + interval '1 day' FROM users;
  INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
    SELECT organisation_id, id, 'email', 'at' || id, 'at' || id FROM users;
  INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
    SELECT organisation_id, id, 'new' || id || '@customer.example', 'Jan', 'Bakker', sha256(username::bytea),
      now() + interval '1 day' FROM users WHERE username LIKE 'user%@customer.example';
  INSERT INTO api_keys (user_id, digest, name, expires_at)
    SELECT id, sha256(('key' || id)::bytea), 'Key', now() + interval '1 day' FROM users;
`;

/**
 * Migrations that look through a table of customers while they hold it, with the reason why that is no harm. Each is a
 * decision: at a million organisations whoever waits for the lock waits for seconds.
 */
const LOOKING_THROUGH: Readonly<Record<string, string>> = {};

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

/** Runs migrations and returns the tables that each held for longer than a moment. */
async function heldBy(
  runner: QueryRunner,
  migrations: readonly Migration[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const Migration of migrations) {
    const migration = new Migration();
    if (migration.transaction === false) {
      await migration.up(runner);
      continue;
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
    if (heavy.length > 0) found[Migration.name] = heavy.map(({ table }) => table);
  }
  return found;
}

interface Definition {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

/** PostgreSQL writes an expression that comes from a dump with other casts and brackets than that of a migration. */
const CASTS_AND_BRACKETS = /::(?:text|character varying)(?:\[\])?|[()]/g;

async function catalogueOf(client: Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(CATALOGUE);
  return rows.map((row) => ({ ...row, definition: row.definition.replaceAll(CASTS_AND_BRACKETS, '') }));
}

/** What the test below must find. */
class LooksThrough1 {
  readonly up = (runner: QueryRunner): Promise<unknown> =>
    runner.query(`ALTER TABLE users ADD CONSTRAINT users_named CHECK (username <> '')`);
  readonly down = (): Promise<void> => Promise.resolve();
}
class WritesAnew2 {
  readonly up = (runner: QueryRunner): Promise<unknown> =>
    runner.query('ALTER TABLE logins ALTER COLUMN address TYPE text USING lower(address)');
  readonly down = (): Promise<void> => Promise.resolve();
}
class IsQuick3 {
  readonly up = (runner: QueryRunner): Promise<unknown> =>
    runner.query('ALTER TABLE contacts ADD COLUMN remark text');
  readonly down = (): Promise<void> => Promise.resolve();
}

describe.each(RELEASES)('an upgrade from $name', ({ dump, statements }) => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(dump);
    await client.query('SET search_path = public');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('begins with rows in every table', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const empty: string[] = [];
    for (const { name } of rows) {
      if ((await client.query(`SELECT FROM ${name} LIMIT 1`)).rowCount === 0) empty.push(name);
    }
    expect(rows.length).toBeGreaterThan(40);
    expect(empty).toEqual([]);
  });

  it('holds no table of customers for longer than a moment', async () => {
    await client.query(FILL);
    await client.query('ANALYZE');
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const pending = MIGRATIONS.filter(({ name }) => !rows.some((row) => row.name === name));
    const dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    const runner = dataSource.createQueryRunner();
    try {
      const found = await heldBy(runner, pending);
      const unexpected = Object.entries(found).filter(([name]) => !(name in LOOKING_THROUGH));
      expect(Object.fromEntries(unexpected)).toEqual({});
      for (const name of Object.keys(LOOKING_THROUGH))
        if (pending.some((Migration) => Migration.name === name)) expect(found).toHaveProperty(name);
      // What it would have found.
      const samples = [LooksThrough1, WritesAnew2, IsQuick3] as unknown as Migration[];
      expect(await heldBy(runner, samples)).toEqual({ LooksThrough1: ['users'], WritesAnew2: ['logins'] });
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  });

  it('ends with the schema of a new database, in which the statements of the release still mean something', async () => {
    const upgraded = await createEmptyDatabase();
    const made = await createTestDatabase();
    const clients = [upgraded, made].map(({ url }) => new Client({ connectionString: url }));
    const [old, fresh] = clients as [Client, Client];
    try {
      for (const each of clients) await each.connect();
      await old.query(dump);
      await migrate(upgraded.url);
      await old.query('SET search_path = public');
      const catalogue = await catalogueOf(fresh);
      expect(catalogue.length).toBeGreaterThan(800);
      expect(await catalogueOf(old)).toEqual(catalogue);
      expect(statements.length).toBeGreaterThan(100);
      const refused: Record<string, string> = {};
      for (const statement of statements) {
        await old.query(`PREPARE old AS ${statement}`).then(
          () => old.query('DEALLOCATE old'),
          (error: Error) => (refused[statement] = error.message),
        );
      }
      expect(refused).toEqual({});
    } finally {
      for (const each of clients) await each.end();
      await upgraded.drop();
      await made.drop();
    }
  });
});
