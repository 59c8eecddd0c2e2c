import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@app/core/database/embedded-postgres';
import { until } from './support/until';

const OWNER_PROGRAM = `
  const { startEmbeddedPostgres } = require('@app/core/database/embedded-postgres');
  startEmbeddedPostgres({ dataDir: process.argv[1], durable: process.argv[2] === 'durable' }).then((postgres) => {
    console.log(postgres.url);
    process.stdin.once('data', () => postgres.stop().then(() => process.exit(0)));
  });`;

let dataDir: string;
const processes: ChildProcess[] = [];
const joined: EmbeddedPostgres[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'account-api-test-embedded-'));
});

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  // Whoever joins last stops the server, whatever the test left behind.
  joined.push(await startEmbeddedPostgres({ dataDir, durable: false }));
  for (const postgres of joined.splice(0)) await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Another process that uses the cluster until it is told to stop. */
async function spawnOwner(
  durable = false,
): Promise<{ url: string; child: ChildProcess; leave(): Promise<void> }> {
  const register = join(__dirname, 'support/typescript-register.cjs');
  const child = spawn(
    process.execPath,
    ['-r', register, '-e', OWNER_PROGRAM, dataDir, durable ? 'durable' : 'throwaway'],
    {
      cwd: resolve(__dirname, '..'),
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  processes.push(child);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  const leave = async (): Promise<void> => {
    const exit = once(child, 'exit');
    child.stdin.write('stop\n');
    await exit;
  };
  return { url, child, leave };
}

async function startHere(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  joined.push(postgres);
  return postgres;
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

function serverPid(): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('startEmbeddedPostgres', () => {
  it('gives one cluster to processes that start at once; the last to leave stops it', async () => {
    const owners = await Promise.all([spawnOwner(), spawnOwner(), spawnOwner()]);
    const urls = new Set(owners.map(({ url }) => url));
    expect(urls.size).toBe(1);
    const [first, second, third] = owners;

    await first.leave();
    await second.leave();
    expect(await ask(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await third.leave();
    await expect(ask(third.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    expect((await startHere()).url).toBe(third.url);
  });

  it('makes a UTF-8 database account behind a password, on the loopback address alone', async () => {
    const { url } = await startHere();
    expect(await ask(url, 'SELECT current_database() AS name')).toEqual([{ name: 'account' }]);
    expect(await ask(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await ask(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await ask(url, "SELECT lower('ÉÄ') AS folded")).toEqual([{ folded: 'éä' }]);
    expect(Number(new URL(url).port)).toBeLessThan(32_768);
    const { password } = new URL(url);
    await expect(ask(url.replace(password, 'wrong'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
  });

  it('joins the server of a process that was killed, and stops it', async () => {
    const killed = await spawnOwner();
    const pid = serverPid();
    const exit = once(killed.child, 'exit');
    killed.child.kill('SIGKILL');
    await exit;

    const heir = await startHere();
    expect(heir.url).toBe(killed.url);
    expect(serverPid()).toBe(pid);
    expect(readdirSync(join(dataDir, 'postgres/owners'))).toHaveLength(1);
    await heir.stop();
    await expect(ask(heir.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('takes over the lock and the data when the server was killed too', async () => {
    const killed = await spawnOwner(true);
    await ask(killed.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const exit = once(killed.child, 'exit');
    killed.child.kill('SIGKILL');
    process.kill(serverPid(), 'SIGKILL');
    await exit;
    writeFileSync(join(dataDir, 'postgres/lock'), `${killed.child.pid} as-if-it-died-inside`);

    const { url } = await startHere();
    expect(await ask(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('brings a killed server back on its port while it is in use', async () => {
    const { url } = await startHere();
    const killed = serverPid();
    process.kill(killed, 'SIGKILL');
    await until(() =>
      ask(url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
    expect(serverPid()).not.toBe(killed);
  });

  it('starts although the id of the old server now belongs to another program', async () => {
    const first = await startHere();
    const content = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
    await first.stop();
    const stale = content.replace(/^\d+/, String(process.pid));
    writeFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), stale);

    const { url } = await startHere();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('moves to another port when the remembered one is taken', async () => {
    const first = await startHere();
    await first.stop();
    const { createServer } = await import('node:net');
    const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const { url } = await startHere();
      expect(url).not.toBe(first.url);
      expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      squatter.close();
    }
  });

  it('counts each use of one process', async () => {
    const first = await startHere();
    const second = await startHere();
    await first.stop();
    await first.stop();
    expect(await ask(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('says in one line what to do when the directory cannot be made', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    const attempt = startEmbeddedPostgres({ dataDir: join(dataDir, 'file/data') });
    await expect(attempt).rejects.toThrow(
      /^cannot write to .*file\/data.*: .*set DATA_DIR to another place$/,
    );
  });
});
