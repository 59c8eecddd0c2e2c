import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient, QueryResultRow } from 'pg';
import { TooBusy } from '../../concurrency/concurrency-limiter';
import { countLoss } from '../connection-errors';
import type { DatabaseClient } from './database-client';
import { DatabasePool } from '../database-pool';
import type { PreparedStatement } from './statement';
import { CachedShapeQuery, type SentQuery } from './cached-shape-query';

/** Number of shared connections. One Node process cannot use more. */
const CONNECTIONS = 4;

/** Reads in one packet of a connection before the next connection is used, because PostgreSQL answers them in order. */
const MAX_GATHERED = 4;

/** Maximum running reads on one connection. With more, the database is too slow to catch up. */
const MAX_UNDER_WAY = 250;

/** Retry-After of a refused request, in seconds. */
const RETRY_AFTER = 2;

/**
 * Pipelines the prepared reads of all requests on a few shared connections. Reads of one turn of the event loop form one
 * packet, so that PostgreSQL wakes once for them and needs 8 to 10 % less (Node 26). Only for reads by key without locks,
 * because a slow read delays all reads behind it.
 */
@Injectable()
export class PipelinedReads implements OnModuleDestroy {
  private readonly pool: DatabasePool;
  private readonly connections: readonly SharedConnection[];

  constructor(connectionString: string) {
    this.pool = new DatabasePool({
      connectionString,
      max: CONNECTIONS,
      applicationName: 'account-api reads',
      pipeline: true,
      // One index plan serves all values: planning takes longer than finding the row. Without this `enable_seqscan`, a plan
      // from the time of an empty table would scan it forever.
      settings: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
    });
    this.connections = Array.from({ length: CONNECTIONS }, () => new SharedConnection(this.pool));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.leave()));
    await this.pool.end();
  }

  /** The rows of a read. Throws TooBusy if too many are running. */
  async rows<Row extends QueryResultRow>(
    { name, text }: PreparedStatement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const connection = this.connections.find(({ hasRoom }) => hasRoom) ?? this.leastBusy();
    if (connection.underWay >= MAX_UNDER_WAY) throw new TooBusy(RETRY_AFTER);
    try {
      return await connection.rows<Row>({ name, text, values });
    } catch (error) {
      // Tries once more on another connection, without a name, so that it depends on no earlier read.
      if (failsForGood(error)) return connection.rows<Row>({ text, values });
      // The driver's stack leads to its socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private leastBusy(): SharedConnection {
    return this.connections.reduce((one, other) => (other.underWay < one.underWay ? other : one));
  }
}

/** A connection that opens at its first read, and again after it has ended. */
class SharedConnection {
  underWay = 0;
  private connecting: Promise<PoolClient> | undefined;
  /** The open connection. Awaiting a promise would cost a little for every read. */
  private connected: PoolClient | undefined;
  /** Reads of this turn of the event loop. */
  private gathered = 0;
  /** The error that ended a connection. All running reads on it fail with this error. */
  private readonly heldUp = new WeakMap<PoolClient, Error>();

  constructor(private readonly pool: DatabasePool) {}

  /** Whether a read joins a packet. */
  get hasRoom(): boolean {
    return this.gathered > 0 && this.gathered < MAX_GATHERED && this.underWay < MAX_UNDER_WAY;
  }

  rows<Row extends QueryResultRow>(query: SentQuery): Promise<Row[]> {
    this.underWay++;
    return new Promise((resolve, reject) => {
      let used: PoolClient | undefined;
      const settle = (error: Error | undefined, rows: Row[]): void => {
        this.underWay--;
        if (error === undefined) return resolve(rows);
        if (used === undefined) return reject(error);
        this.leaveIfBroken(error, used);
        reject(this.heldUp.get(used) ?? error);
      };
      const send = (client: PoolClient): void => {
        used = client;
        this.gather(client);
        client.query(new CachedShapeQuery<Row>(query, { callback: settle }) as never);
      };
      if (this.connected !== undefined && (this.connected as unknown as DatabaseClient).isCut) {
        this.drop(this.connected);
      }
      if (this.connected !== undefined) send(this.connected);
      else (this.connecting ??= this.connect()).then(send, (error: unknown) => settle(error as Error, []));
    });
  }

  /** Returns the connection to its pool. */
  async leave(): Promise<void> {
    const client = await this.connecting?.catch(() => undefined);
    client?.removeListener('end', this.giveUp);
    client?.release();
    this.forget();
  }

  private async connect(): Promise<PoolClient> {
    try {
      const client = await this.pool.connect();
      client.once('end', this.giveUp);
      return (this.connected = client);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** The pool notices the end of a connection only through its holder. */
  private readonly giveUp = (): void => {
    if (this.connected !== undefined) this.drop(this.connected);
  };

  /** Returns a connection to its pool, which ends it when the running reads have their rows. */
  private drop(client: PoolClient): void {
    client.removeListener('end', this.giveUp);
    this.forget();
    client.release(true);
  }

  /** Gives up a connection that would keep failing, or on which a failed read has delayed the others. */
  private leaveIfBroken(error: Error, client: PoolClient): void {
    if (client !== this.connected) return;
    const heldUp = isHeldUp(error);
    if (heldUp) this.heldUp.set(client, error);
    else if (!failsForGood(error)) return;
    this.drop(client);
    // The later reads might wait as long for this lock again, and their clients have waited long enough.
    if (!heldUp) return;
    countLoss('held_up');
    (client as unknown as DatabaseClient).cut();
  }

  private forget(): void {
    this.connecting = undefined;
    this.connected = undefined;
  }

  /** Sends the reads of this turn of the event loop in one packet. */
  private gather(client: PoolClient): void {
    this.gathered++;
    if (this.gathered > 1) return;
    const { stream } = (client as unknown as DatabaseClient).connection;
    stream.cork();
    setImmediate(() => {
      this.gathered = 0;
      stream.uncork();
    });
  }
}

/** `cached plan must not change result type`: a migration has changed the type of the rows. */
const CHANGED = '0A000';
/**
 * The statement is not prepared: an earlier read failed to prepare it, the connection has lost its statements (DISCARD ALL), or
 * a pooler changes connections between transactions.
 */
const LOST = '26000';
/** SQLSTATEs of a statement that ran into a timeout, usually while it waited for a lock. */
const HELD_UP: ReadonlySet<unknown> = new Set(['55P03', '57014']);

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** Whether a prepared statement succeeds when it is prepared again. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === CHANGED;

/** Whether a prepared statement fails on this connection forever. */
const failsForGood = (error: unknown): boolean => isOutdated(error) || codeOf(error) === LOST;

/** Whether the later reads of its connection have waited long enough. */
const isHeldUp = (error: unknown): boolean => HELD_UP.has(codeOf(error));
