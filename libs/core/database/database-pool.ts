import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { isPassingRefusal, PoolerUntold, ReadOnlyServer, SilentDatabase } from './connection-errors';
import { DatabaseClient } from './database-client';
import { countLoss } from './connection-losses';
import { DatabaseHosts } from './database-hosts';
import { CONNECT_TIMEOUT, sessionSettings, type DatabaseLimits } from './database-limits';

/** Milliseconds before a refused connection is tried again, doubled each time up to the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 400;

/** Milliseconds after which a connection that nobody needs is closed. */
const IDLE_TIMEOUT = 30_000;

/** What stands between the service and PostgreSQL and hands server connections out: for a session or a transaction. */
export type Pooler = 'session' | 'transaction';

export interface DatabasePoolConfig {
  readonly connectionString: string;
  readonly max: number;
  readonly limits: DatabaseLimits;
  readonly applicationName: string;
  readonly pooler?: Pooler | undefined;
  /** Whether a statement is sent without waiting for the answers to those before it on the same connection. */
  readonly pipeline?: boolean;
  /** Settings of PostgreSQL for the sessions of this pool, beside those that follow from the limits. */
  readonly settings?: Readonly<Record<string, string>>;
}

type ConnectCallback = Parameters<Pool['connect']>[0];

/** What pg-pool takes, and what it hands on to each client. */
interface PoolSettings extends Omit<PoolConfig, 'onConnect'> {
  readonly hosts: DatabaseHosts;
  readonly silence: number;
  readonly onConnect: (client: unknown) => Promise<void>;
}

/** Where nothing but the driver knows it: `pg-pool` gives its options to each client that it makes. */
type ClientClass = NonNullable<PoolConfig['Client']>;

/** Of this process: what one of them finds out about a server holds for the others. */
const pools = new Set<DatabasePool>();

/** Whoever took an idle connection to a silent server would wait as long as the one who found it out. */
function leaveServer(url: string): void {
  for (const pool of pools) pool.leave(url);
}

/** What the connections of one purpose do at the moment. */
export interface PoolState {
  readonly applicationName: string;
  readonly busy: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
  readonly max: number;
}

/** Of every pool of this process that is in use. */
export const poolStates = (): PoolState[] =>
  [...pools].filter(({ ended }) => !ended).map((pool) => pool.state);

/**
 * Every connection of the project comes from one of these. It is to a server that can write, ends when that server is
 * silent, and is thrown away when the server turns out to be read-only.
 */
export class DatabasePool extends Pool {
  private readonly hosts: DatabaseHosts;
  private readonly all = new Set<DatabaseClient>();
  private readonly idle = new Set<DatabaseClient>();
  private silence: number;
  private readonly pooler: Pooler | undefined;

  constructor({
    connectionString,
    max,
    limits,
    applicationName,
    pooler,
    pipeline = false,
    settings = {},
  }: DatabasePoolConfig) {
    const hosts = new DatabaseHosts(connectionString);
    const config: PoolSettings = {
      connectionString,
      max,
      application_name: applicationName,
      // With several servers each gets its part of the time, so that one which is out of reach leaves some to the next.
      connectionTimeoutMillis: hosts.count > 1 ? CONNECT_TIMEOUT / 2 : CONNECT_TIMEOUT,
      idleTimeoutMillis: IDLE_TIMEOUT,
      hosts,
      silence: limits.silence,
      pipeline,
      Client: DatabaseClient as unknown as ClientClass,
      onConnect: (client) =>
        this.prepare(client as DatabaseClient, { ...sessionSettings(limits), ...settings }),
    };
    super(config);
    this.hosts = hosts;
    this.silence = limits.silence;
    this.pooler = pooler;
    this.watch();
    for (const pool of pools) if (pool.ended) pools.delete(pool);
    pools.add(this);
  }

  /** Whether a statement that was prepared on a connection is there for the next one too. */
  get keepsStatements(): boolean {
    return this.pooler !== 'transaction';
  }

  get state(): PoolState {
    const { totalCount, idleCount, waitingCount, options } = this;
    const applicationName = options.application_name ?? '';
    return {
      applicationName,
      busy: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      max: options.max,
    };
  }

  /** For connections that are taken from now on; milliseconds, 0 for no limit. */
  limitSilence(milliseconds: number): void {
    this.silence = milliseconds;
  }

  /** Ends every connection at once, whatever is under way on it. */
  cut(): void {
    for (const client of this.all) client.cut();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback !== undefined) {
      const isThere = this.idleCount > 0 && this.waitingCount === 0;
      return isThere ? this.takeIdle(callback) : this.tryToConnect(callback);
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) =>
        client === undefined ? reject(error ?? new Error('No connection')) : resolve(client),
      );
    });
  }

  /** Without a deadline, which every statement would pay for: only where the connection is gone by now is there a wait. */
  private takeIdle(callback: ConnectCallback): void {
    super.connect((error, client, done) =>
      error === undefined ? callback(undefined, client, done) : this.tryToConnect(callback),
    );
  }

  /**
   * Nothing has been sent when a connection is refused: trying again is safe, and during a switchover the next try finds
   * the new server. All of it within {@link CONNECT_TIMEOUT}.
   */
  private tryToConnect(callback: ConnectCallback): void {
    const end = performance.now() + CONNECT_TIMEOUT;
    let isOver = false;
    let lastError: Error = new Error('timeout exceeded when trying to connect');
    const settle: ConnectCallback = (error, client, done) => {
      isOver = true;
      clearTimeout(deadline);
      callback(error, client, done);
    };
    const deadline = setTimeout(() => settle(lastError, undefined, () => undefined), CONNECT_TIMEOUT);
    const attempt = (pause: number): void => {
      super.connect((error, client, done) => {
        if (isOver) return client === undefined ? undefined : done();
        if (error === undefined) return settle(error, client, done);
        lastError = error;
        const isHopeless = this.ending || !this.isWorthAnotherTry(error);
        if (isHopeless || performance.now() + pause >= end) return settle(error, undefined, done);
        setTimeout(() => !isOver && attempt(Math.min(2 * pause, LONGEST_PAUSE)), pause);
      });
    };
    attempt(FIRST_PAUSE);
  }

  private isWorthAnotherTry(error: Error): boolean {
    return isPassingRefusal(error, this.hosts.count > 1);
  }

  /** Before anybody gets the connection. PostgreSQL ends its connections when it becomes a standby: once is enough. */
  private async prepare(client: DatabaseClient, wanted: ReturnType<typeof sessionSettings>): Promise<void> {
    // A pooler gives each transaction another connection to PostgreSQL: what is set on one would stay with strangers.
    const settings = this.pooler === 'transaction' ? [] : Object.entries(wanted);
    const statements = settings.map(([name, value]) => `SET ${name} = ${value}; `);
    const results = await client.query<{ standby: boolean; pid: number }>(
      `${statements.join('')}SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid`,
    );
    // Several statements in one message have a result each.
    const server = [results].flat().at(-1)?.rows[0];
    if (this.pooler === undefined && server?.pid !== client.processID) throw new PoolerUntold();
    if (server?.standby === false) return;
    this.hosts.leave(client.url);
    countLoss('standby');
    throw new ReadOnlyServer();
  }

  /** Ends the connections to a server on which nothing is under way. */
  leave(url: string): void {
    for (const client of this.all) {
      const isShared = client.pipeline && client.readyForQuery === true;
      if (client.url === url && (isShared || this.idle.has(client))) client.cut();
    }
  }

  private watch(): void {
    this.on('error', () => undefined);
    this.on('connect', (made) => {
      const client = made as unknown as DatabaseClient;
      this.all.add(client);
      client.on('error', (error) => {
        countLoss(error instanceof SilentDatabase ? 'silent' : 'broken');
        if (error instanceof SilentDatabase) leaveServer(client.url);
      });
    });
    this.on('acquire', (taken) => {
      const client = taken as unknown as DatabaseClient;
      this.idle.delete(client);
      client.limitSilence(this.silence);
    });
    // Before the pool decides whether to keep it.
    this.on('release', (_error, given) => {
      const client = given as unknown as DatabaseClient;
      if (!client.isUseless) {
        this.idle.add(client);
        return;
      }
      countLoss('read_only');
      void client.end();
    });
    this.on('remove', (gone) => {
      const client = gone as unknown as DatabaseClient;
      this.all.delete(client);
      this.idle.delete(client);
    });
  }
}
