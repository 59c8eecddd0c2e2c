import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionString, describe, type ServerAddress } from './embedded-postgres-address';
import { createCluster } from './embedded-postgres-creation';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { ClusterOwners, withLock } from './embedded-postgres-owners';
import { ClusterServer } from './embedded-postgres-server';
import { chooseServerUser, openToServerUser } from './embedded-postgres-user';

/** Name of the superuser and of the database. */
const ACCOUNT = 'account';
const INVALID_CATALOG_NAME = '3D000';
/** The server that was found is just going down: admin_shutdown, cannot_connect_now, or no one listens any more. */
const SERVER_IS_ENDING = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', '57P01', '57P03']);
const WATCH_INTERVAL_MS = 1000;

export interface EmbeddedPostgresOptions {
  /**
   * The cluster, its password, socket and log lie in the folder `postgres` of it. Not to be shared by machines
   * or containers: neither sees the processes of the other.
   */
  dataDir: string;
  /** False for throw-away clusters: faster, and lost when the machine crashes. Default true. */
  durable?: boolean;
  /** Told in short lines what takes time. */
  log?: (line: string) => void;
}

/** One use of an embedded cluster. */
export interface EmbeddedPostgres {
  /** Of the database `account`; the user may create others. */
  url: string;
  /** Ends this use; the last use in all processes to end stops the server. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that came with the npm packages, or joins the one that another process (also one that
 * died) started in the same directory. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = homeIn(options.dataDir);
  const { durable = true, log = () => undefined } = options;
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw new EmbeddedPostgresError(
      `there is no embedded PostgreSQL for ${process.platform}: set DATABASE_URL`,
    );
  }
  makeDirectory(dataDir);
  const owners = new ClusterOwners(dataDir);
  const { address, url, registration } = await withLock(dataDir, async () => {
    const server = openCluster(dataDir);
    const password = readOrMakePassword(dataDir, server.exists());
    if (!server.exists()) {
      log(`creating a PostgreSQL database in ${dataDir}`);
      const { directory, user } = server;
      createCluster({ dataDir, directory, user, superuser: ACCOUNT, password, durable });
    }
    try {
      if (owners.countAlive() === 0) await endOlderServer(server);
      const address = await connect(server, password, { durable, log });
      const url = connectionString(address, { name: ACCOUNT, password }, ACCOUNT);
      return { address, url, registration: owners.register() };
    } catch (error) {
      if (owners.countAlive() === 0) await server.stop();
      throw error;
    }
  });
  // A server of an older version comes back through the processes of that version, on the port that they know.
  const watch = address.socketFolder === undefined ? undefined : restartWhenEnded(dataDir, durable, log);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    clearInterval(watch);
    return (stopped ??= leave(dataDir, owners, registration));
  };
  return { url, stop };
}

/** A server that was killed, as when memory runs out, comes back: on its socket, where connection pools look for it. */
function restartWhenEnded(dataDir: string, durable: boolean, log: (line: string) => void): NodeJS.Timeout {
  let isBusy = false;
  const restart = async (): Promise<void> => {
    const server = openCluster(dataDir);
    if (server.isRunning()) return;
    await withLock(dataDir, async () => {
      if (server.isRunning() || new ClusterOwners(dataDir).countAlive() === 0) return;
      log(`PostgreSQL ended unexpectedly; it runs again on ${describe(await server.start(durable))}`);
    });
  };
  const watch = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    restart()
      .catch((error: unknown) => log(`PostgreSQL does not come back: ${(error as Error).message}`))
      .finally(() => (isBusy = false));
  }, WATCH_INTERVAL_MS);
  return watch.unref();
}

/**
 * Stops the server of a cluster whose users all died; tells whether the directory is out of use.
 * @internal For the clusters of tests.
 */
export async function stopAbandonedPostgres(parentDir: string): Promise<boolean> {
  const dataDir = homeIn(parentDir);
  return withLock(dataDir, async () => {
    if (new ClusterOwners(dataDir).countAlive() > 0) return false;
    await openCluster(dataDir).stop();
    return true;
  });
}

async function leave(dataDir: string, owners: ClusterOwners, registration: string): Promise<void> {
  await withLock(dataDir, async () => {
    owners.unregister(registration);
    if (owners.countAlive() === 0) await openCluster(dataDir).stop();
  });
}

function openCluster(dataDir: string): ClusterServer {
  const user = chooseServerUser(join(dataDir, 'cluster'));
  openToServerUser(dataDir, user);
  return new ClusterServer(dataDir, user);
}

function homeIn(parentDir: string): string {
  return join(resolve(parentDir), 'postgres');
}

function makeDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `cannot write to ${dataDir} (${(error as Error).message}): start as its owner, or set DATA_DIR to another place`,
    );
  }
}

function readOrMakePassword(dataDir: string, clusterExists: boolean): string {
  const file = join(dataDir, 'password');
  try {
    if (existsSync(file)) return readFileSync(file, 'utf8').trim();
    if (clusterExists) throw new Error('it is missing');
    const password = randomBytes(24).toString('hex');
    writeFileSync(file, password, { mode: 0o600 });
    return password;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `cannot use the database password in ${file} (${(error as Error).message}): restore it, or choose another DATA_DIR`,
    );
  }
}

/** A server on a TCP port, as older versions started them, is replaced once nobody uses it. */
async function endOlderServer(server: ClusterServer): Promise<void> {
  const address = await server.runningAddress();
  if (address && address.socketFolder === undefined) await server.stop();
}

/** Makes sure that the server answers and has the database. */
async function connect(
  server: ClusterServer,
  password: string,
  { durable, log }: { durable: boolean; log: (line: string) => void },
): Promise<ServerAddress> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await server.runningAddress();
    const address = found ?? (await server.start(durable));
    try {
      await ensureDatabase(address, password);
      log(`PostgreSQL ${found ? 'already runs' : 'runs'} on ${describe(address)}`);
      if (address.socketFolder === undefined) {
        log('An older version started it: end all that use it, and it moves from the port to a socket');
      }
      return address;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (attempt === 20 || !SERVER_IS_ENDING.has(code ?? '')) {
        throw new EmbeddedPostgresError(
          `PostgreSQL on ${describe(address)} refuses us (${message}): end it and start again, or set DATABASE_URL`,
        );
      }
      await pause(100);
    }
  }
}

async function ensureDatabase(address: ServerAddress, password: string): Promise<void> {
  const account = { name: ACCOUNT, password };
  try {
    await query(connectionString(address, account, ACCOUNT), 'SELECT 1');
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_CATALOG_NAME) throw error;
    await query(connectionString(address, account, 'postgres'), `CREATE DATABASE ${ACCOUNT}`);
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks between two events is reported by the failing query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
