import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolClient, QueryResultRow } from 'pg';
import { TooBusy } from '../concurrency/concurrency-limiter';
import type { DatabaseClient } from './database-client';
import { REQUEST_LIMITS } from './database-limits';
import { DatabasePool, type Pooler } from './database-pool';
import { assertNoTransaction } from './pool-guard';
import { failsForGood, isHeldUp, isOutdated } from './statement-errors';
import type { PreparedRead } from './prepared-queries';
import { DescribedRead, type SentQuery } from './described-read';

/** Connections that short reads share: more than the processors that one Node process can keep busy. */
const CONNECTIONS = 4;

/** Reads that one connection sends in one piece before the next one is taken: PostgreSQL answers them one after the other. */
const MAX_GATHERED = 4;

/** Reads under way on one connection, past which the database is too far behind for another. */
const MAX_UNDER_WAY = 250;

/** Seconds after which who met too many is to try again. */
const RETRY_AFTER = 2;

/**
 * The prepared reads that every request makes, by key and without locks, on a few connections that they share: a read is
 * sent without waiting for the answers to those before it, and what one turn of the event loop asks for leaves in one
 * piece. With a connection of its own each, the same two reads took 408 instead of 301 microseconds of processor time
 * in Node, and PostgreSQL was woken once for each. What may take long or wait for a lock holds up all behind it: not here.
 */
@Injectable()
export class ShortReads implements OnModuleDestroy {
  private readonly pool: DatabasePool;
  private readonly connections: readonly SharedConnection[];

  constructor(connectionString: string, pooler: Pooler | undefined) {
    this.pool = new DatabasePool({
      connectionString,
      pooler,
      max: CONNECTIONS,
      limits: REQUEST_LIMITS,
      applicationName: 'account-api reads',
      pipeline: true,
      // Reads by key have one plan for all values, by an index: planning each anew takes longer than finding the row, and
      // a plan that was made while the table was empty stays.
      settings: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
    });
    this.connections = Array.from({ length: CONNECTIONS }, () => new SharedConnection(this.pool));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.leave()));
    await this.pool.end();
  }

  /** The rows of a read. Throws TooBusy where too many are under way. */
  async rows<Row extends QueryResultRow>(
    { name, text }: PreparedRead<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    assertNoTransaction();
    const connection = this.connections.find(({ hasPlace }) => hasPlace) ?? this.leastBusy();
    if (connection.underWay >= MAX_UNDER_WAY) throw new TooBusy(RETRY_AFTER);
    const query = { name, text, values };
    try {
      // Once more on a connection that has just been made: it is another one by then.
      return await connection.rows<Row>(query).catch((error: unknown) => {
        if (!isOutdated(error)) throw error;
        return connection.rows<Row>(query);
      });
    } catch (error) {
      // The driver's leads to its socket; this one leads to who has asked.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private leastBusy(): SharedConnection {
    return this.connections.reduce((one, other) => (other.underWay < one.underWay ? other : one));
  }
}

/** A connection that is made when it is first asked for, and anew when it has ended. */
class SharedConnection {
  underWay = 0;
  private connecting: Promise<PoolClient> | undefined;
  /** The same once it is there: waiting for a promise would cost every read something. */
  private connected: PoolClient | undefined;
  /** Reads that wait for the event loop to come around; 0 where none are gathered. */
  private gathered = 0;
  /** Why all that was under way on a connection has failed: what it would be told itself follows from that. */
  private readonly heldUp = new WeakMap<PoolClient, Error>();

  constructor(private readonly pool: DatabasePool) {}

  /** Whether a read would leave in one piece with others. */
  get hasPlace(): boolean {
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
        this.heed(error, used);
        reject(this.heldUp.get(used) ?? error);
      };
      const send = (client: PoolClient): void => {
        used = client;
        this.gather(client);
        // The driver takes any query that looks like its own; its types know those alone that give a stream.
        client.query(new DescribedRead<Row>(query, settle) as never);
      };
      if (this.connected !== undefined) send(this.connected);
      else (this.connecting ??= this.connect()).then(send, (error: unknown) => settle(error as Error, []));
    });
  }

  /** Gives the connection back to its pool. */
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

  /** The pool is told of a connection that has ended only by who holds it. */
  private readonly giveUp = (): void => {
    this.connected?.release(true);
    this.forget();
  };

  /** Leaves a connection that would go on failing, or that holds up all behind what has failed. */
  private heed(error: Error, client: PoolClient): void {
    if (client !== this.connected) return;
    const heldUp = isHeldUp(error);
    if (heldUp) this.heldUp.set(client, error);
    else if (!failsForGood(error)) return;
    client.removeListener('end', this.giveUp);
    this.forget();
    // Ends once what is under way has its answers.
    client.release(true);
    // Each read behind it may wait for the same lock, for as long again: its client has waited long enough.
    if (heldUp) (client as unknown as DatabaseClient).cut();
  }

  private forget(): void {
    this.connecting = undefined;
    this.connected = undefined;
  }

  /** What is asked for until the event loop has been once around leaves in one piece. */
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
