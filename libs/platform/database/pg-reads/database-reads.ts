import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { type Bulkhead, HEAVY } from '../../concurrency/bulkhead';
import { Bulkheads } from '../../concurrency/bulkheads';
import type { Competition } from '../../concurrency/concurrency-limiter';
import type { Client, FairLimiter } from '../../concurrency/fair-limiter';
import { type DatabasePool, poolOf } from '../database-pool';
import type { DatabaseClient } from './database-client';
import { isOutdated, KeyReads } from './key-reads';
import { RowCursor, rowsByCursor } from './row-cursor';
import { bytesOf } from './row-size';
import type { KeyStatement, PreparedStatement, Statement } from './statement';

/** A cursor holds a connection while its client reads. */
const CURSORS: Bulkhead = {
  name: 'cursors',
  work: 'csv of a long list, and what else is read while the response is written',
  permits: { ofPool: 0.25 },
  queue: HEAVY,
  quotas: {
    group: { maxRunning: 2, maxPending: 12 },
    member: { maxRunning: 2, maxPending: 6 },
  },
};

/** Milliseconds between two cursors that give way. One at a time gives way while others wait. */
const GIVE_WAY_INTERVAL = 500;

export const isPrepared = <Row>(statement: Statement<Row>): statement is PreparedStatement<Row> =>
  statement.name !== undefined;

export const isByKey = <Row>(statement: Statement<Row>): statement is KeyStatement<Row> =>
  statement.isByKey === true;

/** Most rows that are read whole before their bytes are counted. */
const MAX_WHOLE_ROWS = 101;

export interface ByteLimitedRows<Row> {
  readonly rows: Row[];
  /** Whether rows are missing because of the limit on bytes. */
  readonly isCut: boolean;
}

/**
 * Names a statement by its text, so that equal texts share one plan and different texts never clash. Only for
 * fixed texts: PostgreSQL would keep thousands of texts that depend on a request.
 */
export function prepared<Row = never>(text: string): PreparedStatement<Row> {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  return { name, text };
}

/** A prepared statement that reads a few rows by key: see {@link KeyStatement}. */
export const byKey = <Row = never>(text: string): KeyStatement<Row> => ({
  ...prepared<Row>(text),
  isByKey: true,
});

/**
 * The reads of requests as SQL on TypeORM's pool, because the query builder takes longer to build a statement
 * than PostgreSQL to run it. Writes, and rare reads, use repositories.
 */
@Injectable()
export class DatabaseReads {
  /**
   * Milliseconds in which a client that takes little reads slowly, so that its cursor gives way as soon as
   * others wait (rule answers 46): where its group has two cursors, and where it has one.
   */
  slowReading = { ofTwo: 2000, ofOne: 20_000 };
  /** When the last cursor gave way, by `performance.now()`. */
  private gaveWayAt = -Infinity;
  private readonly cursors: FairLimiter;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(KeyReads) private readonly keyReads: KeyReads | null,
    bulkheads: Bulkheads,
  ) {
    this.cursors = bulkheads.open(CURSORS);
  }

  /** The statement says how it is read. What a transaction has changed is read in it, by {@link rowIn}. */
  rows<Row extends QueryResultRow>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    if (isByKey(statement) && this.keyReads !== null) return this.keyReads.rows<Row>(statement, values);
    return this.ask<Row>(statement, values);
  }

  /** See {@link rows}. */
  async row<Row extends QueryResultRow>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  /**
   * Rows up to a total of `maxBytes`, at least one row. Above {@link MAX_WHOLE_ROWS} they come by a
   * cursor, so that rows beyond the limit take no memory.
   * @param maxRows how many rows the statement may have
   */
  async rowsWithin<Row extends QueryResultRow>(
    maxBytes: number,
    maxRows: number,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<ByteLimitedRows<Row>> {
    if (maxRows > MAX_WHOLE_ROWS) return rowsByCursor<Row>(this.pool, statement, values, maxBytes);
    const rows = await this.ask<Row>(statement, values);
    let bytes = 0;
    const first = rows.findIndex((row, index) => (bytes += bytesOf(row)) > maxBytes && index > 0);
    return first === -1 ? { rows, isCut: false } : { rows: rows.slice(0, first), isCut: true };
  }

  /**
   * The rows of a statement in batches. The caller closes the cursor. A cursor holds a connection while its
   * client reads, so cursors have a share of the pool, and clients have quotas. Throws TooBusy beyond them.
   */
  cursor<Row extends QueryResultRow>(
    statement: Statement<unknown>,
    values: readonly unknown[],
    reader: Client,
  ): Promise<RowCursor<Row>> {
    return new Promise((resolve, reject) => {
      const hold = async ({ hasWaiting, runningOfGroup }: Competition): Promise<void> => {
        const cursor = await RowCursor.open<Row>(this.pool, statement, values);
        resolve(cursor);
        const timer = setInterval(() => {
          const isDue = performance.now() - this.gaveWayAt >= GIVE_WAY_INTERVAL;
          const { ofTwo, ofOne } = this.slowReading;
          const isSlow = isDue && cursor.pace.isSlow(runningOfGroup() > 1 ? ofTwo : ofOne);
          if (!isSlow || !hasWaiting()) return;
          this.gaveWayAt = performance.now();
          void cursor.close();
        }, GIVE_WAY_INTERVAL).unref();
        await cursor.closed;
        clearInterval(timer);
      };
      this.cursors.run(reader, hold).catch(reject);
    });
  }

  private get pool(): DatabasePool {
    return poolOf(this.dataSource);
  }

  /** Sends a statement again without its name if a migration has made the prepared one outdated. */
  private async ask<Row extends QueryResultRow>(
    statement: Statement<unknown>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const sent = sentOn(this.dataSource, statement);
    try {
      return (await this.pool.query<Row>({ ...sent, values: values as unknown[] })).rows;
    } catch (error) {
      if (sent.name === undefined || !isOutdated(error)) throw error;
      return (await this.pool.query<Row>({ text: sent.text, values: values as unknown[] })).rows;
    }
  }
}

/** A record as its transaction has changed it. */
export async function rowIn<Row extends QueryResultRow>(
  manager: EntityManager,
  { text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row | undefined> {
  return (await manager.query<Row[]>(text, [...values]))[0];
}

/**
 * The rows of a prepared statement in the transaction of a manager; planning would double its cost. Only for
 * columns whose type never changes: after a migration of the type, each connection would fail until it ends.
 */
export async function preparedRows<Row extends QueryResultRow>(
  manager: EntityManager,
  statement: PreparedStatement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await manager.queryRunner?.connect()) as DatabaseClient | undefined;
  if (client === undefined) throw new Error('Only the manager of a transaction has a connection');
  const answer = client.query<Row>({ ...sentOn(manager.connection, statement), values: [...values] });
  return (await answer).rows;
}

/** Drops the name if a pooler changes connections between transactions. */
function sentOn(dataSource: DataSource, { name, text }: Statement<unknown>): Statement {
  const isKept = name !== undefined && poolOf(dataSource).keepsSessions;
  return isKept ? { name, text } : { text };
}
