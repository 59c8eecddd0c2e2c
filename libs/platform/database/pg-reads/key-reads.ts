import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type PoolClient, Query, type QueryResult, type QueryResultRow } from 'pg';
import { TooBusy } from '../../concurrency/concurrency-limiter';
import { DatabasePool, isUsable } from '../database-pool';
import type { DatabaseClient } from './database-client';
import type { PreparedStatement } from './statement';

/**
 * Reads are sent ahead on each. Two keep PostgreSQL busier than one Node process can: more cost a system call
 * more for each read on both sides.
 */
const CONNECTIONS = 2;

/** Most reads that have no answer yet. With more, the database is too slow to catch up. */
const MAX_RUNNING = 1000;

/** Retry-After of a refused request, in seconds. */
const RETRY_AFTER = 2;

/**
 * A connection that reads share until it is cut. Taking it from the pool for each read would cost as much as
 * the driver's part of the read.
 */
class SharedConnection {
  running = 0;
  private client: PoolClient | undefined;

  private constructor(private readonly connected: Promise<PoolClient>) {}

  static open(pool: DatabasePool, onFailure: (connection: SharedConnection) => void): SharedConnection {
    const connection = new SharedConnection(pool.connect());
    connection.connected.then(
      (client) => (connection.client = client),
      () => onFailure(connection),
    );
    return connection;
  }

  /** Whether a further read may be sent on it. */
  get isOpen(): boolean {
    return this.client === undefined || isUsable(this.client);
  }

  ask<Row extends QueryResultRow>(query: Query<Row>): Promise<Row[]> {
    return this.client === undefined
      ? this.connected.then((client) => askOn(client, query))
      : askOn(this.client, query);
  }

  /** Gives it back to its pool, which ends it if it is cut. */
  async release(): Promise<void> {
    (await this.connected).release();
  }
}

const askOn = <Row extends QueryResultRow>(client: PoolClient, query: Query<Row>): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const settle = (error: Error | null, result: QueryResult<Row>): void => {
      if (error === null) return resolve(result.rows);
      // Those behind it on this connection would wait as long, one after the other.
      if (isTimeout(error)) (client as unknown as DatabaseClient).cut(error);
      reject(error);
    };
    (client.query as (query: Query<Row>, callback: typeof settle) => void)(query, settle);
  });

/**
 * The reads by key of all requests, on connections that no long work holds. Their sessions plan such reads
 * once and by index. The driver sends them ahead (its option `pipeline`): PostgreSQL answers them in order.
 */
@Injectable()
export class KeyReads implements OnModuleDestroy {
  readonly pool: DatabasePool;
  private readonly shared = new Set<SharedConnection>();
  private running = 0;

  constructor(connectionString: string) {
    this.pool = new DatabasePool({
      connectionString,
      max: CONNECTIONS,
      applicationName: 'account-api reads',
      keepsIdle: true,
      sendsAhead: true,
      // One index plan serves all values: planning takes longer than finding the row. Without this
      // `enable_seqscan`, a plan from the time of an empty table would scan it forever.
      settings: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled([...this.shared].map((connection) => connection.release()));
    await this.pool.end();
  }

  /** The rows of a read. Throws TooBusy if too many wait. */
  async rows<Row extends QueryResultRow>(
    { name, text }: PreparedStatement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (this.running >= MAX_RUNNING) throw new TooBusy(RETRY_AFTER);
    this.running++;
    const connection = this.leastBusy();
    connection.running++;
    try {
      return await connection.ask(new NamedQuery<Row>(name, text, values));
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return await connection.ask(new Query<Row>(text, values as unknown[]));
    } finally {
      connection.running--;
      this.running--;
    }
  }

  /** One that has nothing to do, or else a further one, or else the one with the fewest reads. */
  private leastBusy(): SharedConnection {
    let best: SharedConnection | undefined;
    for (const connection of this.shared) {
      if (!connection.isOpen) this.drop(connection);
      else if (best === undefined || connection.running < best.running) best = connection;
    }
    if (best !== undefined && (best.running === 0 || this.shared.size === CONNECTIONS)) return best;
    const connection = SharedConnection.open(this.pool, (failed) => this.shared.delete(failed));
    this.shared.add(connection);
    return connection;
  }

  private drop(connection: SharedConnection): void {
    this.shared.delete(connection);
    void connection.release();
  }
}

/** The driver copies an object with text and name, property by property; a text it takes as it is. */
class NamedQuery<Row extends QueryResultRow> extends Query<Row> {
  constructor(
    readonly name: string,
    text: string,
    values: readonly unknown[],
  ) {
    super(text, values);
  }
}

/** `lock_timeout` and `statement_timeout`. */
const TIMEOUTS = new Set(['55P03', '57014']);

const isTimeout = (error: Error): boolean => TIMEOUTS.has((error as { code?: string }).code ?? '');

/** `cached plan must not change result type`: a migration has changed the type of the rows. */
const CHANGED = '0A000';
/**
 * The statement is not prepared: the connection has lost its statements (DISCARD ALL), or a pooler changes
 * connections between transactions.
 */
const LOST = '26000';

/** Whether a prepared statement succeeds when it is sent again without its name. */
export function isOutdated(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === CHANGED || code === LOST;
}
