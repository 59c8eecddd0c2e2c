import { Client } from 'pg';
import { migrate } from '@app/migrations/migrate';

/*
 * How tests get their database: `jest-global-setup.ts` starts one throw-away PostgreSQL for the run (or takes
 * the server of TEST_DATABASE_URL) and migrates one template database. Each test file copies that template
 * (80 ms) with `createTestDatabase`, or through `startTestService` a second template that has the first
 * admin, and drops its copy at the end. So files run side by side without seeing each other's rows, and what
 * a killed run leaves is removed by a later one.
 */

const PREFIX = 'account_test_';

/** A migrated, empty database of its own for one test file. */
export interface TestDatabase {
  url: string;
  /** Cuts connections that are still open. */
  drop(): Promise<void>;
}

let databasesMade = 0;

/** Copies the migrated template of this run. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase((run) => `TEMPLATE ${testDatabaseName(run, 'template')}`);
}

/** SQLSTATE: there is no such database. */
const UNDEFINED_DATABASE = '3D000';

/**
 * The same with the first admin, whose password takes longer to hash than its database to copy: the first
 * that asks in a run makes the template.
 */
export async function createDatabaseWithAdmin(
  makeAdmin: (url: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const copy = (): Promise<TestDatabase> =>
    createDatabase((run) => `TEMPLATE ${testDatabaseName(run, 'template_with_admin')}`);
  try {
    return await copy();
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_DATABASE) throw error;
    await makeAdminTemplate(makeAdmin);
    return copy();
  }
}

async function makeAdminTemplate(makeAdmin: (url: string) => Promise<unknown>): Promise<void> {
  const { serverUrl, run } = serverOfRun();
  const nameOf = (suffix: string): string => testDatabaseName(run, suffix);
  const template = nameOf('template_with_admin');
  const unfinished = nameOf('template_unfinished');
  await withClient(serverUrl, async (client) => {
    // Workers of jest ask at the same time. The end of the connection gives the lock back.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 1) return;
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE ${nameOf('template')}`);
    await makeAdmin(urlOfDatabase(serverUrl, unfinished));
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  });
}

/** Without any schema. */
export function createEmptyDatabase(options = 'TEMPLATE template0'): Promise<TestDatabase> {
  return createDatabase(() => options);
}

/**
 * The encoding and the locales of a database: its letters are those of ASCII to PostgreSQL's own functions.
 */
export const ASCII_LOCALE =
  "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'";

/** Migrated, with options of CREATE DATABASE. */
export async function createOtherDatabase(options: string): Promise<TestDatabase> {
  const database = await createDatabase(() => options);
  await migrate(database.url);
  return database;
}

/** Copies it file by file, as pg_basebackup does; nobody may be connected meanwhile. */
export function backUpOf({ url }: TestDatabase): Promise<TestDatabase> {
  return createDatabase(() => `TEMPLATE ${new URL(url).pathname.slice(1)}`);
}

function serverOfRun(): { readonly serverUrl: string; readonly run: string } {
  const { TEST_SERVER_URL: serverUrl, TEST_RUN: run } = process.env;
  if (!serverUrl || !run) throw new Error('Test databases need the global set-up of the e2e project');
  return { serverUrl, run };
}

async function createDatabase(options: (run: string) => string): Promise<TestDatabase> {
  const { serverUrl, run } = serverOfRun();
  databasesMade += 1;
  const name = testDatabaseName(run, `${process.pid}_${Date.now()}_${databasesMade}`);
  await runStatement(serverUrl, `CREATE DATABASE ${name} ${options(run)} STRATEGY FILE_COPY`);
  return {
    url: urlOfDatabase(serverUrl, name),
    drop: () => runStatement(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A name by which a run finds its databases again; `suffix` tells them apart. */
export function testDatabaseName(run: string, suffix: string): string {
  return `${PREFIX}${run}_${suffix}`;
}

/** The address of a database on the same server. */
export function urlOfDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}

/** Drops the databases of this kind of test whose name is chosen. */
export async function dropDatabases(serverUrl: string, isChosen: (name: string) => boolean): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    for (const { datname } of rows) {
      if (!datname.startsWith(PREFIX) || !isChosen(datname)) continue;
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
  });
}

/** A connection; where the server ends it, what it is asked then fails by itself. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient<T>(url: string, action: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectTo(url);
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}
