import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient, QueryResultRow } from 'pg';
import { TooBusy } from '../../concurrency/concurrency-limiter';
import { countLoss } from '../connection-errors';
import { DatabasePool } from '../database-pool';
import { CachedShapeQuery, type SentQuery } from './cached-shape-query';
import type { DatabaseClient } from './database-client';
import type { PreparedStatement } from './statement';

/** Number of shared connections. One Node process cannot use more. */
const CONNECTIONS = 4;

/**
 * Reads in one packet of a connection before the next connection is used, because
 * PostgreSQL answers them in order.
 */
const MAX_GATHERED = 4;

/** Maximum running reads on one connection. With more, the database is too slow to catch up. */
const MAX_UNDER_WAY = 250;

/** Retry-After of a refused request, in seconds. */
const RETRY_AFTER = 2;

/**
 * Pipelines the prepared reads of all requests on a few shared connections. Reads of one turn of the event
 * loop form one packet, so that PostgreSQL wakes once for them and needs 8 to 10 % less (Node 26). Only for
 * reads by key without locks, because a slow read delays all reads behind it.
 */
@Injectable()
export class PipelinedReads implements OnModuleDestroy {
  private readonly pool: DatabasePool;
  private readonly connections: SharedConnection[];

  constructor(connectionString: string) {
    this.pool = new DatabasePool({
      connectionString,
      max: CONNECTIONS,
      applicationName: 'account-api reads',
      pipeline: true,
      // One index plan serves all values: planning takes longer than finding the row. Without this
      // `enable_seqscan`, a plan from the time of an empty table would scan it forever.
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
    const connection = this.next();
    if (connection.underWay >= MAX_UNDER_WAY) throw new TooBusy(RETRY_AFTER);
    try {
      return await connection.rows<Row>({ name, text, values });
    } catch (error) {
      // Tries once more on another connection, without a name, so that it depends on no earlier read.
      if (failsForGood(error)) return this.next().rows<Row>({ text, values });
      // The driver's stack leads to its socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /** A connection that gathers a packet, or the least busy one. */
  private next(): SharedConnection {
    for (const [index, { isOver }] of this.connections.entries())
      if (isOver) this.connections[index] = new SharedConnection(this.pool);
    return (
      this.connections.find(({ hasRoom }) => hasRoom) ??
      this.connections.reduce((one, other) => (other.underWay < one.underWay ? other : one))
    );
  }
}

type SharedClient = DatabaseClient & Pick<PoolClient, 'release'>;

/** A connection from its first read to its end. */
class SharedConnection {
  underWay = 0;
  private hasEnded = false;
  private opening: Promise<SharedClient> | undefined;
  private client: SharedClient | undefined;
  /** Reads of this turn of the event loop. */
  private gathered = 0;
  /** The error that ended the connection. All running reads on it fail with this error. */
  private heldUp: unknown;

  constructor(private readonly pool: DatabasePool) {}

  /** Whether a read joins a packet. */
  get hasRoom(): boolean {
    return this.gathered > 0 && this.gathered < MAX_GATHERED && this.underWay < MAX_UNDER_WAY;
  }

  get isOver(): boolean {
    return this.hasEnded || this.client?.isCut === true;
  }

  async rows<Row extends QueryResultRow>(query: SentQuery): Promise<Row[]> {
    this.underWay++;
    try {
      const client = await (this.opening ??= this.open());
      this.gather(client);
      return await new CachedShapeQuery<Row>(query).rowsFrom(client);
    } catch (error) {
      this.endIfBroken(error);
      throw this.heldUp ?? error;
    } finally {
      this.underWay--;
    }
  }

  /** Returns the connection to its pool. */
  async leave(): Promise<void> {
    await this.opening?.catch(() => undefined);
    this.end(false);
  }

  private async open(): Promise<SharedClient> {
    try {
      this.client = (await this.pool.connect()) as unknown as SharedClient;
      // The pool notices the end of a connection only through its holder. After an
      // error it takes no statement.
      this.client.once('end', () => this.end()).once('error', () => this.end());
      return this.client;
    } catch (error) {
      this.hasEnded = true;
      throw error;
    }
  }

  /** Returns the connection to its pool, which closes it when the running reads have their rows. */
  private end(closes = true): void {
    if (!this.hasEnded) this.client?.release(closes);
    this.hasEnded = true;
  }

  /** Gives up a connection that would keep failing, or on which a failed read has delayed the others. */
  private endIfBroken(error: unknown): void {
    const isHeldUp = HELD_UP.has(codeOf(error));
    if (this.hasEnded || !(isHeldUp || failsForGood(error))) return;
    this.end();
    // The later reads might wait as long for this lock again, and their clients have waited long enough.
    if (!isHeldUp) return;
    this.heldUp = error;
    countLoss('held_up');
    this.client?.cut();
  }

  /** Sends the reads of this turn of the event loop in one packet. */
  private gather({ connection: { stream } }: DatabaseClient): void {
    this.gathered++;
    if (this.gathered > 1) return;
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
 * The statement is not prepared: an earlier read failed to prepare it, the connection has lost its statements
 * (DISCARD ALL), or a pooler changes connections between transactions.
 */
const LOST = '26000';
/** SQLSTATEs of a statement that ran into a timeout, usually while it waited for a lock. */
const HELD_UP: ReadonlySet<unknown> = new Set(['55P03', '57014']);

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** Whether a prepared statement succeeds when it is prepared again. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === CHANGED;

/** Whether a prepared statement fails on this connection forever. */
const failsForGood = (error: unknown): boolean => isOutdated(error) || codeOf(error) === LOST;
