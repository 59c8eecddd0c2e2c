import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '../service/until';
import { startDatabaseProxy } from './database-proxy';
import { freePort } from './free-port';

const ENVIRONMENT = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** Debian: `apt-get install pgbouncer`. */
export const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version'], { env: ENVIRONMENT }).status === 0;

export interface PgBouncer {
  /** The address of a database through it. */
  urlOf(databaseUrl: string): string;
  /** Makes it take new connections to the server, as an operator does in its console. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the real pooler with its defaults, before the server of a database. */
export async function startPgBouncer(
  mode: 'session' | 'transaction',
  databaseUrl: string,
): Promise<PgBouncer> {
  const server = await startDatabaseProxy(databaseUrl);
  const target = new URL(server.urlOf(databaseUrl));
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'account-api-test-pgbouncer-'));
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`;
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${target.port} user=${decodeURIComponent(target.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = ${decodeURIComponent(target.username)}
pool_mode = ${mode}
default_pool_size = 40
max_client_conn = 200
`,
  );
  // It refuses to run as root, and must read its settings as whoever it becomes.
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), join(folder, 'pgbouncer.ini')], {
    env: ENVIRONMENT,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const urlOf = (url: string): string => {
    const through = new URL(server.urlOf(url));
    through.port = String(port);
    return through.href;
  };
  await until(() => answers(urlOf(databaseUrl)));
  return {
    urlOf,
    reconnect: async () => {
      const url = new URL(urlOf(databaseUrl));
      url.pathname = '/pgbouncer';
      const console = new Client({ connectionString: url.href });
      console.on('error', () => undefined);
      await console.connect();
      await console.query('RECONNECT');
      await console.end();
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
