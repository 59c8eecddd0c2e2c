import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { InjectDataSource } from '@nestjs/typeorm';
import { ConcurrencyLimiter } from '../passwords/concurrency-limiter';
import { RowCursor, type CursorAim } from './row-cursor';

/** The part of the connection pool that cursors may hold, how many may wait for it, and how many milliseconds. */
const CURSOR_SHARE = 0.25;
const MOST_WAITING_CURSORS = 20;
const LONGEST_CURSOR_WAIT = 5000;

/** A statement that PostgreSQL parses once for each connection. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Names a statement by its text, so that equal texts share one plan and different ones never clash. */
export function prepared(text: string): PreparedStatement {
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 32), text };
}

/**
 * The reads that every request makes, as prepared statements on TypeORM's own connection pool: building the
 * same SQL anew for each request costs more than PostgreSQL takes to answer it. Writes, and reads that are
 * not in the way of every request, go through repositories.
 */
@Injectable()
export class Sql {
  private cursorPlaces: ConcurrencyLimiter | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const result = await this.pool.query<Row>({ ...statement, values: [...values] });
    return result.rows;
  }

  async row<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  /**
   * The rows of a statement in batches; whoever opens a cursor closes it. A cursor holds a connection for as long
   * as its reader takes, so that all of them together get a part of the pool only. Throws TooBusy past that.
   */
  cursor<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
    aim?: CursorAim,
  ): Promise<RowCursor<Row>> {
    const { pool } = this;
    this.cursorPlaces ??= new ConcurrencyLimiter({
      limit: Math.max(1, Math.floor(pool.options.max * CURSOR_SHARE)),
      maxWaiting: MOST_WAITING_CURSORS,
      maxWaitMs: LONGEST_CURSOR_WAIT,
    });
    const places = this.cursorPlaces;
    return new Promise((resolve, reject) => {
      places
        .run(async () => {
          const cursor = await RowCursor.open<Row>(pool, statement, values, aim);
          resolve(cursor);
          await cursor.closed;
        })
        .catch(reject);
    });
  }

  /** The pool of the TypeORM driver, which is its documented `master` connection. */
  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
