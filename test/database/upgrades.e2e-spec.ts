import { DataSource, type MigrationInterface } from 'typeorm';
import { Client } from 'pg';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { MIGRATIONS } from '../../libs/migrations/all';
import { migrate } from '@app/platform/jobs/migrate';
import { createEmptyDatabase, type TestDatabase } from '../support/service/databases';
import { RELEASES } from '../support/service/releases';

/** Rows of each filled table: a migration that looks through one of them touches at least so many. */
const MANY = 2000;

/** Tables that grow with customers, and the rows that they get. Those that triggers fill are not named. */
const FILL = `
  INSERT INTO organisations (id, name, tax_number, organisation_type) VALUES (1, 'Operator', '', 3);
  SELECT setval(pg_get_serial_sequence('organisations', 'id'), 1);
  INSERT INTO organisations (name, tax_number, parent_id)
    SELECT 'Customer ' || n, 'NL' || n, 1 FROM generate_series(1, ${MANY}) n;
  INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
    SELECT id, 'user' || id || '@customer.example', 'Jan', 'Bakker', '' FROM organisations WHERE id > 1;
  INSERT INTO logins (user_id, digest, address, expires_at)
    SELECT id, sha256(id::text::bytea), '192.0.2.1', now() + interval '1 day' FROM users;
  INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
    SELECT organisation_id, id, 'email', username, username FROM users;
  INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
    SELECT organisation_id, id, 'new' || id || '@customer.example', 'Jan', 'Bakker', sha256(username::bytea),
      now() + interval '1 day' FROM users;
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

const isPending =
  (known: ReadonlySet<string>) =>
  (Migration: new () => MigrationInterface): boolean =>
    !known.has(Migration.name);

describe.each(RELEASES)('an upgrade from $name', ({ dump }) => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(dump);
    await client.query('SET search_path = public');
    await client.query(FILL);
    await client.query('ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('holds no table of customers for longer than a moment', async () => {
    const { rows: known } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const pending = MIGRATIONS.filter(isPending(new Set(known.map(({ name }) => name))));
    const dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    const runner = dataSource.createQueryRunner();
    const found: Record<string, string[]> = {};
    try {
      for (const Migration of pending) {
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
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
    const unexpected = Object.entries(found).filter(([name]) => !(name in LOOKING_THROUGH));
    expect(Object.fromEntries(unexpected)).toEqual({});
    for (const name of Object.keys(LOOKING_THROUGH))
      if (pending.some((Migration) => Migration.name === name)) expect(found).toHaveProperty(name);
  });
});

describe.each(RELEASES)('the statements of $name', ({ dump, statements }) => {
  it('still mean something to the database of this build', async () => {
    const database = await createEmptyDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(dump);
      await migrate(database.url);
      await client.query('SET search_path = public');
      expect(statements.length).toBeGreaterThan(100);
      const refused: Record<string, string> = {};
      for (const statement of statements) {
        await client.query(`PREPARE old AS ${statement}`).then(
          () => client.query('DEALLOCATE old'),
          (error: Error) => (refused[statement] = error.message),
        );
      }
      expect(refused).toEqual({});
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
