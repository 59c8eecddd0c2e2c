import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { assertEmbeddedPostgres, EmbeddedPostgresError } from './binaries';
import { Cluster, SOCKET_PORT } from './cluster';
import { LockHeld, withFileLock } from './file-lock.cjs';

/** Name of the superuser and of the database. */
const ACCOUNT = 'account';
/** The application name of the connection that each user of a cluster keeps open. Users are counted by it. */
const USE = 'embedded-postgres';
const NO_SERVER = ['ECONNREFUSED', 'ENOENT'];
/** The server is starting or stopping; 57P01 and 57P03 are admin_shutdown and cannot_connect_now. */
const NOT_READY = ['ECONNRESET', '57P01', '57P03'];
const RETRY_DELAY_MS = 100;
/** Longer than a start that has to replay the write-ahead log after a crash. */
const MAX_WAIT_MS = 150_000;
const RESTART_DELAY_MS = 1000;

export interface EmbeddedPostgresOptions {
  /**
   * The cluster, its password, socket and log are in its folder `postgres`. Machines or containers cannot
   * share it, because they cannot reach each other's sockets.
   */
  dataDir: string;
  /** False for clusters of tests: faster, but lost if the machine crashes. Default true. */
  durable?: boolean;
  /** Receives a line about each slow step. */
  log?: (line: string) => void;
  /**
   * Begins other work of this process. Called when a server has been launched, before it accepts connections.
   */
  whileStarting?: () => void;
}

export interface EmbeddedPostgres {
  /** URL of the database `account`; its user may create others. */
  url: string;
  /** Ends this use. The last use of all processes stops the server. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm packages, or joins the server that another process started in the same
 * directory, even if that process has ended. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const use = new ClusterUse(options);
  await use.start();
  return use;
}

/**
 * Stops the server of a cluster that no process uses any more. Returns whether the directory is unused.
 * @internal For the clusters of tests.
 */
export async function stopAbandonedPostgres(dataDir: string): Promise<boolean> {
  return new ClusterUse({ dataDir }).stopUnused();
}

/** Whether an earlier start has created a cluster in this directory. */
export const hasEmbeddedPostgres = (dataDir: string): boolean =>
  existsSync(join(resolve(dataDir), 'postgres/cluster/PG_VERSION'));

/** A use is an open connection, so each side learns at once when the other dies. */
class ClusterUse implements EmbeddedPostgres {
  private readonly dataDir: string;
  private readonly cluster: Cluster;
  private password = '';
  private connection: Client | undefined;
  private stopped: Promise<unknown> | undefined;

  constructor(private readonly options: EmbeddedPostgresOptions) {
    assertEmbeddedPostgres();
    this.dataDir = join(resolve(options.dataDir), 'postgres');
    try {
      mkdirSync(this.dataDir, { recursive: true });
      accessSync(this.dataDir, constants.W_OK);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `cannot write to ${this.dataDir} (${(error as Error).message}): start as its owner, or set DATA_DIR to another place`,
      );
    }
    this.cluster = new Cluster(this.dataDir, options.durable ?? true);
  }

  get url(): string {
    return this.urlOf(ACCOUNT);
  }

  start(): Promise<void> {
    return this.withLock(async () => {
      this.password = readOrMakePassword(this.dataDir, this.cluster.exists());
      if (!this.cluster.exists()) {
        this.options.log?.(`Creating a PostgreSQL database in ${this.dataDir}`);
        await this.cluster.create(ACCOUNT, this.password);
      }
      const verb = await this.join();
      this.options.log?.(`PostgreSQL ${verb} on the socket in ${this.cluster.socketFolder}`);
    });
  }

  async stop(): Promise<void> {
    await (this.stopped ??= this.stopUnused());
  }

  /** Stops the server unless another process uses it. Returns whether the directory is unused. */
  stopUnused(): Promise<boolean> {
    return this.withLock(async () => {
      if (!this.cluster.exists()) return true;
      this.password = readOrMakePassword(this.dataDir, true);
      const connection = this.connection ?? (await this.connect().catch(() => undefined));
      const others = connection && (await countOthers(connection).catch(() => undefined));
      await connection?.end();
      // An undefined count means that no server runs.
      if (others === 0) await this.cluster.stop();
      return !others;
    });
  }

  /** Connects to the running server, or starts one. */
  private async join(): Promise<'runs' | 'already runs'> {
    const deadline = Date.now() + MAX_WAIT_MS;
    let hasStarted = false;
    for (;;) {
      try {
        this.connection = await this.connect();
        this.connection.once('end', () => void this.restart());
        return hasStarted ? 'runs' : 'already runs';
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        const isLate = Date.now() > deadline;
        if (!isLate && NO_SERVER.includes(code)) {
          const start = this.cluster.start();
          this.options.whileStarting?.();
          await start;
          hasStarted = true;
        } else if (!isLate && NOT_READY.includes(code)) await pause(RETRY_DELAY_MS);
        else {
          if (hasStarted) await this.cluster.stop();
          throw new EmbeddedPostgresError(
            `PostgreSQL on the socket in ${this.cluster.socketFolder} refuses us (${message}): end it and start again, or set DATABASE_URL`,
          );
        }
      }
    }
  }

  /**
   * Restarts a server that was killed, for example when memory ran out, on the socket
   * that connection pools use.
   */
  private async restart(): Promise<void> {
    this.connection = undefined;
    while (this.stopped === undefined) {
      try {
        await this.withLock(async () => {
          if (this.stopped !== undefined) return;
          const verb = await this.join();
          this.options.log?.(
            `PostgreSQL ended unexpectedly; it ${verb} again on ${this.cluster.socketFolder}`,
          );
        });
        return;
      } catch (error) {
        this.options.log?.(`PostgreSQL does not come back: ${(error as Error).message}`);
        await pause(RESTART_DELAY_MS);
      }
    }
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.urlOf('postgres'),
      application_name: USE,
      connectionTimeoutMillis: 10_000,
    });
    // The failing query or the event `end` reports a broken connection.
    client.on('error', () => undefined);
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [ACCOUNT]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${ACCOUNT}`);
    return client;
  }

  /** pg and libpq prefer the parameter `host` to `localhost`. */
  private urlOf(database: string): string {
    const host = encodeURIComponent(this.cluster.socketFolder);
    return `postgresql://${ACCOUNT}:${this.password}@localhost:${SOCKET_PORT}/${database}?host=${host}`;
  }

  /** Runs one start or stop at a time for a data directory. */
  private async withLock<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await withFileLock(join(this.dataDir, 'lock'), action, { timeoutMs: MAX_WAIT_MS });
    } catch (error) {
      if (error instanceof LockHeld) throw new EmbeddedPostgresError(error.message);
      throw error;
    }
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

async function countOthers(connection: Client): Promise<number | undefined> {
  const { rows } = await connection.query<{ others: number }>(
    'SELECT count(*)::int AS others FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
    [USE],
  );
  return rows[0]?.others;
}
