import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { chooseServerUser } from '@app/embedded-postgres/binaries';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { until } from '../support/service/until';

const OWNER_PROGRAM = `
  const { startEmbeddedPostgres } = require('@app/embedded-postgres/embedded-postgres');
  startEmbeddedPostgres({ dataDir: process.argv[1], durable: process.argv[2] === 'durable' }).then((postgres) => {
    console.log(postgres.url);
    process.stdin.once('data', () => postgres.stop().then(() => process.exit(0)));
  });`;

let dataDir: string;
const processes: ChildProcess[] = [];
const joined: EmbeddedPostgres[] = [];

beforeEach(() => {
  // Mode 0700: as root these tests also show that the server user need not be able to enter what lies above.
  dataDir = mkdtempSync(join(tmpdir(), 'account-api-scratch-embedded-'));
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
  const register = join(__dirname, '../../scripts/typescript-register.cjs');
  const child = spawn(
    process.execPath,
    ['-r', register, '-e', OWNER_PROGRAM, dataDir, durable ? 'durable' : 'throwaway'],
    { cwd: resolve(__dirname, '../..'), stdio: ['pipe', 'pipe', 'inherit'] },
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

function socketFolderOf(url: string): string {
  return new URL(url).searchParams.get('host') ?? '';
}

/** Of TCP sockets that listen, on any address; Linux alone tells. */
function listeningInodes(): Set<string> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8'));
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  return new Set(rows.filter((row) => row[3] === '0A').map((row) => row[9] ?? ''));
}

function socketInodes(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [];
    return inode === undefined ? [] : [inode];
  });
}

/**
 * A program whose id keeps PostgreSQL from starting: that of another user, or of its own parents, would not.
 */
function sleepAsServerUser(): number {
  const user = chooseServerUser(join(dataDir, 'postgres/cluster'));
  const child = spawn('sleep', ['60'], { stdio: 'ignore', ...user });
  processes.push(child);
  return child.pid ?? 0;
}

function serverPid(): number {
  return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('startEmbeddedPostgres', () => {
  it('gives one cluster to processes that start at once, and the last to leave stops it', async () => {
    const owners = await Promise.all([spawnOwner(), spawnOwner(), spawnOwner()]);
    const urls = new Set(owners.map(({ url }) => url));
    expect(urls.size).toBe(1);
    const [first, second, third] = owners;

    await first.leave();
    await second.leave();
    expect(await ask(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await third.leave();
    await expect(ask(third.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ENOENT' });

    expect((await startHere()).url).toBe(third.url);
  });

  it('makes a UTF-8 database account behind a password', async () => {
    const { url } = await startHere();
    expect(await ask(url, 'SELECT current_database() AS name')).toEqual([{ name: 'account' }]);
    expect(await ask(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await ask(url, "SELECT lower('ÉÄ') AS folded")).toEqual([{ folded: 'éä' }]);
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
    await heir.stop();
    await expect(ask(heir.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ENOENT' });
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

  it('brings a killed server back on its socket while it is in use', async () => {
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

  it('starts although the id in postmaster.pid now belongs to another program', async () => {
    const first = await startHere();
    const content = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
    await first.stop();
    const stale = content.replace(/^\d+/, String(process.pid));
    writeFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), stale);

    const { url } = await startHere();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts after a restart of the machine, though a program of its own user has the id in postmaster.pid', async () => {
    const first = await startHere();
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const content = readFileSync(file, 'utf8');
    await first.stop();
    writeFileSync(file, content.replace(/^\d+/, String(sleepAsServerUser())));
    utimesSync(file, 0, 0);

    const { url } = await startHere();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('listens on a socket in a folder of its own alone, on no TCP port', async () => {
    const { url } = await startHere();
    const folder = socketFolderOf(url);
    expect(folder).toBe(join(realpathSync(dataDir), 'postgres/socket'));
    const { mode, uid } = statSync(folder);
    expect(mode & 0o777).toBe(0o700);
    expect(uid).toBe(statSync(join(dataDir, 'postgres/cluster')).uid);
    expect(await ask(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    if (process.platform === 'linux') {
      const sockets = socketInodes(serverPid());
      expect(sockets.length).toBeGreaterThan(0);
      expect(sockets.filter((inode) => listeningInodes().has(inode))).toEqual([]);
    }
  });

  it('starts although the id in the lock of its socket now belongs to another program', async () => {
    const first = await startHere();
    const lock = join(socketFolderOf(first.url), '.s.PGSQL.5432.lock');
    const content = readFileSync(lock, 'utf8');
    await first.stop();
    writeFileSync(lock, content.replace(/^\d+/, String(sleepAsServerUser())));

    const { url } = await startHere();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses a folder for its socket that others may enter', async () => {
    const first = await startHere();
    await first.stop();
    const folder = socketFolderOf(first.url);
    chmodSync(folder, 0o755);
    await expect(startHere()).rejects.toThrow(
      /socket.* is open to others: remove it, or choose another DATA_DIR$/,
    );
    chmodSync(folder, 0o700);
  });

  it('makes the folder of its socket in /tmp where DATA_DIR is too long for one, the same for all processes', async () => {
    const parent = dataDir;
    dataDir = join(parent, 'long'.repeat(25));
    mkdirSync(dataDir);
    try {
      const other = await spawnOwner();
      const { url } = await startHere();
      expect(url).toBe(other.url);
      const folder = socketFolderOf(url);
      expect(folder).toMatch(/^\/tmp\/account-api-[0-9a-f]{32}$/);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await other.leave();
      for (const postgres of joined.splice(0)) await postgres.stop();
      rmSync(folder, { recursive: true });
    } finally {
      dataDir = parent;
    }
  });

  it('counts each use of one process', async () => {
    const first = await startHere();
    const second = await startHere();
    await first.stop();
    await first.stop();
    expect(await ask(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('says in one line what to do where DATA_DIR cannot be made', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    const attempt = startEmbeddedPostgres({ dataDir: join(dataDir, 'file/data') });
    await expect(attempt).rejects.toThrow(
      /^cannot write to .*file\/data.*: .*set DATA_DIR to another place$/,
    );
  });
});
