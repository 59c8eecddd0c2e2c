import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import {
  countLoss,
  isPassingRefusal,
  NoConnection,
  ReadOnlyServer,
  SilentDatabase,
} from './connection-errors';
import { DatabaseHosts } from './database-hosts';
import { CONNECT_TIMEOUT, type DatabaseLimits, REQUEST_LIMITS, sessionSettings } from './database-limits';
import { DatabaseClient } from './pg-reads/database-client';

/** Milliseconds before a refused connection is tried again. Doubled each time, up to the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 400;

/** Milliseconds after which an unused connection is closed. */
const IDLE_TIMEOUT = 30_000;

export interface DatabasePoolConfig {
  readonly connectionString: string;
  readonly max?: number;
  readonly limits?: DatabaseLimits;
  readonly applicationName?: string;
  /**
   * Whether a connection stays with one server process. A pooler in transaction mode
   * changes it between transactions.
   */
  readonly keepsSessions?: boolean;
  /** Whether unused connections stay. */
  readonly keepsIdle?: boolean;
  /** Whether a connection sends statements before those ahead of them are answered. */
  readonly sendsAhead?: boolean;
  /** Settings of PostgreSQL for the sessions of this pool, besides the limits. */
  readonly settings?: Readonly<Record<string, string>>;
}

type ConnectCallback = Parameters<Pool['connect']>[0];

/** The options of pg-pool, which passes them to each client. */
interface PoolSettings extends Omit<PoolConfig, 'onConnect'> {
  readonly hosts: DatabaseHosts;
  readonly socketTimeout: number;
  readonly onConnect: (client: unknown) => Promise<void>;
}

/** The pools of this process. They share their knowledge about servers. */
const pools = new Set<DatabasePool>();

/** The connections of one purpose. */
export interface PoolState {
  readonly applicationName: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** The pools of this process that are in use. */
export const poolStates = (): PoolState[] =>
  [...pools].filter(({ ended }) => !ended).map((pool) => pool.state);

/**
 * Every connection of the project comes from such a pool. It leads to a server that can write, ends when the
 * server does not answer, and is closed when the server becomes read-only.
 */
export class DatabasePool extends Pool {
  private readonly hosts: DatabaseHosts;
  private readonly all = new Set<DatabaseClient>();
  private readonly inUse = new Set<DatabaseClient>();
  private socketTimeout: number;
  readonly keepsSessions: boolean;
  /** Called when a pool of this process suspects that the database is away. */
  onSuspectedLoss: (() => void) | undefined;

  constructor({
    connectionString,
    max = 1,
    limits = REQUEST_LIMITS,
    applicationName = 'account-api',
    keepsSessions = true,
    keepsIdle = false,
    sendsAhead = false,
    settings = {},
  }: DatabasePoolConfig) {
    const hosts = new DatabaseHosts(connectionString);
    const config: PoolSettings = {
      connectionString,
      max,
      application_name: applicationName,
      pipeline: sendsAhead,
      // Several servers share the time, so that one out of reach leaves time for the next.
      connectionTimeoutMillis: hosts.count > 1 ? CONNECT_TIMEOUT / 2 : CONNECT_TIMEOUT,
      idleTimeoutMillis: keepsIdle ? 0 : IDLE_TIMEOUT,
      hosts,
      socketTimeout: limits.socketTimeout,
      Client: DatabaseClient as unknown as NonNullable<PoolConfig['Client']>,
      onConnect: (client) =>
        this.prepare(client as DatabaseClient, { ...sessionSettings(limits), ...settings }),
    };
    super(config);
    this.hosts = hosts;
    this.socketTimeout = limits.socketTimeout;
    this.keepsSessions = keepsSessions;
    this.watch();
    for (const pool of pools) if (pool.ended) pools.delete(pool);
    pools.add(this);
  }

  get state(): PoolState {
    const { totalCount, waitingCount: waiting, options } = this;
    const { application_name: applicationName = '', max } = options;
    const idle = [...this.all].filter((client) => this.isIdle(client)).length;
    return { applicationName, busy: totalCount - idle, idle, waiting, max };
  }

  /** Those that send ahead stay with who shares them. */
  private isIdle(client: DatabaseClient): boolean {
    return this.options.pipeline === true ? !client.isWaiting : !this.inUse.has(client);
  }

  /** For the statements of connections acquired from now on. Milliseconds, 0 for no timeout. */
  setSocketTimeout(milliseconds: number): void {
    this.socketTimeout = milliseconds;
  }

  /** Ends every connection at once, with its running statements. */
  cut(): void {
    for (const client of this.all) client.cut();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback !== undefined) {
      const isOpening = this.idleCount === 0 && this.totalCount < this.options.max;
      return isOpening ? this.tryToConnect(callback) : this.takeOpened(callback);
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) =>
        client === undefined ? reject(error ?? new Error('No connection')) : resolve(client),
      );
    });
  }

  /** Takes one of the connections that are there, or waits for one as long as the driver's pool does. */
  private takeOpened(callback: ConnectCallback): void {
    super.connect((error, client, done) => {
      if (error === undefined && isUsable(client)) return callback(error, client, done);
      if (error === undefined) this.discard(client, done);
      else if (this.idleCount === 0) {
        this.checkServer();
        return callback(error, client, done);
      }
      // A process that was held up has waited although connections had come back.
      return this.tryToConnect(callback);
    });
  }

  private discard(client: unknown, done: (destroys: boolean) => void): void {
    if ((client as DatabaseClient).isReadOnly) countLoss('read_only');
    done(true);
  }

  /**
   * Like pg-pool's `connect`, but skips connections just cut, which pg-pool takes for idle, and
   * servers that take no writes.
   */
  private takeOpen(callback: ConnectCallback): void {
    super.connect((error, client, done) => {
      if (error !== undefined || isUsable(client)) return callback(error, client, done);
      this.discard(client, done);
      return this.takeOpen(callback);
    });
  }

  /**
   * Retries refused connections until {@link CONNECT_TIMEOUT}. Nothing has been sent yet, so a retry is safe.
   * During a switchover it finds the new server.
   */
  private tryToConnect(callback: ConnectCallback): void {
    const end = performance.now() + CONNECT_TIMEOUT;
    let isOver = false;
    let lastError: Error | undefined;
    const settle: ConnectCallback = (error, client, done) => {
      isOver = true;
      clearTimeout(deadline);
      if (error !== undefined) this.checkServer();
      callback(error, client, done);
    };
    const giveUp = (): void => settle(lastError ?? new NoConnection(), undefined, () => undefined);
    // A process that was held up has not seen yet what arrived meanwhile.
    const deadline = setTimeout(() => setImmediate(() => isOver || giveUp()), CONNECT_TIMEOUT);
    const attempt = (pause: number): void => {
      this.takeOpen((error, client, done) => {
        if (isOver) return client === undefined ? undefined : done();
        if (error === undefined) return settle(error, client, done);
        lastError = error;
        const isHopeless = this.ending || !isPassingRefusal(error, this.hosts.count > 1);
        if (isHopeless || performance.now() + pause >= end) return settle(error, undefined, done);
        setTimeout(() => !isOver && attempt(Math.min(2 * pause, LONGEST_PAUSE)), pause);
      });
    };
    attempt(FIRST_PAUSE);
  }

  /**
   * Prepares a new connection. No later check for a standby is needed: a server that becomes
   * one closes its connections.
   */
  private async prepare(client: DatabaseClient, wanted: ReturnType<typeof sessionSettings>): Promise<void> {
    client.isOpen = true;
    // Behind a pooler in transaction mode a setting would stay on the server connection for other clients.
    const settings = this.keepsSessions ? Object.entries(wanted) : [];
    const statements = settings.map(([name, value]) => `SET ${name} = '${value}'; `);
    const results = await client.query<{ standby: boolean }>(
      `${statements.join('')}SELECT pg_is_in_recovery() AS standby`,
    );
    // Several statements in one message have one result each.
    if ([results].flat().at(-1)?.rows[0]?.standby === false) return;
    this.hosts.skip(client.url);
    countLoss('standby');
    throw new ReadOnlyServer();
  }

  private checkServer(): void {
    const { connectionString } = this.options;
    for (const pool of pools)
      if (pool.options.connectionString === connectionString) pool.onSuspectedLoss?.();
  }

  /** Ends the idle connections to a server. */
  cutIdle(url: string): void {
    for (const client of this.all) {
      if (client.url === url && this.isIdle(client)) client.cut();
    }
  }

  private watch(): void {
    this.on('error', () => undefined);
    this.on('connect', (made) => {
      const client = made as unknown as DatabaseClient;
      this.all.add(client);
      client.on('error', (error) => {
        countLoss(error instanceof SilentDatabase ? 'silent' : 'broken');
        this.checkServer();
        if (!(error instanceof SilentDatabase)) return;
        // An idle connection to this server would cost its next user the whole timeout again.
        for (const pool of pools) pool.cutIdle(client.url);
      });
    });
    this.on('acquire', (taken) => {
      const client = taken as unknown as DatabaseClient;
      this.inUse.add(client);
      client.setSocketTimeout(this.socketTimeout);
    });
    this.on('release', (_error, given) => this.inUse.delete(given as unknown as DatabaseClient));
    this.on('remove', (gone) => this.all.delete(gone as unknown as DatabaseClient));
  }
}

export const isUsable = (client: unknown): boolean => {
  const { isCut, isReadOnly } = client as DatabaseClient;
  return !isCut && !isReadOnly;
};

/**
 * The connection pool of TypeORM's PostgreSQL driver: its documented `master`, which the
 * driver's interface leaves out.
 */
export function poolOf({ driver }: DataSource): DatabasePool {
  return (driver as unknown as { readonly master: DatabasePool }).master;
}
