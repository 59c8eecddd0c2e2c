import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { InjectDataSource } from '@nestjs/typeorm';
import { ConcurrencyLimiter, type Origin } from '../concurrency/concurrency-limiter';
import { BoundedQuery } from './bounded-query';
import type { DatabaseClient } from './database-client';
import { DescribedRead } from './described-read';
import { poolOf } from './pool';
import { tracedQuery } from './query-spans';
import { RowCursor, type CursorAim } from './row-cursor';
import { ShortReads } from './short-reads';
import { isOutdated } from './statement-errors';

/** The part of the connection pool that cursors may hold, how many may wait for it, and how many milliseconds. */
const CURSOR_SHARE = 0.25;
const MAX_WAITING_CURSORS = 20;
const MAX_CURSOR_WAIT = 5000;

/** Cursors that one user has open, and has open or waits for: the others keep places in either. */
const MAX_CURSORS_OF_USER = 2;
const MAX_CURSOR_PLACES_OF_USER = 6;

/**
 * A statement; PostgreSQL parses one with a name once for each connection and keeps it, 100 kB and more, as long as
 * the connection lasts.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** What traces call it; where absent, what it does to which table. */
  readonly summary?: string;
}

/** A statement with a name. */
export interface PreparedStatement extends Statement {
  readonly name: string;
}

/** Whether a statement has a name. */
export const isPrepared = (statement: Statement): statement is PreparedStatement =>
  statement.name !== undefined;

/** A statement that says what its rows hold. */
export interface Read<Row> extends Statement {
  /** Only for the compiler: no statement has it. */
  readonly row?: Row;
}

/** A read with a name. */
export interface PreparedRead<Row> extends PreparedStatement, Read<Row> {
  readonly name: string;
}

/** How a cursor is read. */
export interface CursorUse {
  readonly aim?: CursorAim;
  /** The id of the user who reads; absent where nobody else waits for the process. */
  readonly reader?: number;
}

/** The rows of a page. */
export interface BoundedRows<Row> {
  readonly rows: Row[];
  /** Whether the statement has more rows, which would have been too many bytes. */
  readonly isCut: boolean;
}

/**
 * Names a statement by its text, so that equal texts share one plan and different ones never clash. Only for texts
 * that are fixed: one that follows from what a client asks for would be one of thousands, all of them kept.
 */
export function prepared<Row = never>(text: string, summary?: string): PreparedRead<Row> {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  return { name, text, ...(summary !== undefined && { summary }) };
}

/**
 * The reads that every request makes, as prepared statements on TypeORM's own connection pool: building the
 * same SQL anew for each request costs more than PostgreSQL takes to answer it. Writes, and reads that are
 * not in the way of every request, go through repositories.
 */
@Injectable()
export class PreparedQueries {
  private cursorPlaces: ConcurrencyLimiter | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(ShortReads) private readonly shortReads: ShortReads | null,
  ) {}

  /**
   * A few rows by their key, on a connection that many share: only for what takes no lock, and is quick whatever the data.
   */
  quickRows<Row extends QueryResultRow>(
    statement: PreparedRead<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.shortReads === null
      ? this.rows(statement, values)
      : tracedQuery(statement, this.shortReads.rows<Row>(statement, values));
  }

  /** See {@link quickRows}. */
  async quickRow<Row extends QueryResultRow>(
    statement: PreparedRead<Row>,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    return (await this.quickRows<Row>(statement, values))[0];
  }

  rows<Row extends QueryResultRow>(statement: Read<Row>, values: readonly unknown[]): Promise<Row[]> {
    return this.ask(statement, (sent) => this.answerTo(new DescribedRead<Row>({ ...sent, values })));
  }

  async row<Row extends QueryResultRow>(
    statement: Read<Row>,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  /** As many of the rows as hold `maxBytes` together, and one at least. */
  rowsWithin<Row extends QueryResultRow>(
    maxBytes: number,
    statement: Read<Row>,
    values: readonly unknown[],
  ): Promise<BoundedRows<Row>> {
    return this.ask(statement, async (sent) => {
      const query = new BoundedQuery<Row>({ ...sent, values }, maxBytes);
      return { rows: await this.answerTo(query), isCut: query.isCut };
    });
  }

  /**
   * The rows of a statement in batches; whoever opens a cursor closes it. A cursor holds a connection for as long
   * as its reader takes, so that all of them together get a part of the pool only, and one user a part of that. Throws
   * TooBusy past it.
   */
  cursor<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    { aim, reader }: CursorUse = {},
  ): Promise<RowCursor<Row>> {
    const pool = poolOf(this.dataSource);
    this.cursorPlaces ??= new ConcurrencyLimiter({
      limit: Math.max(1, Math.floor(pool.options.max * CURSOR_SHARE)),
      maxWaiting: MAX_WAITING_CURSORS,
      maxWaitMs: MAX_CURSOR_WAIT,
    });
    const places = this.cursorPlaces;
    return new Promise((resolve, reject) => {
      places
        .run(async () => {
          const cursor = await RowCursor.open<Row>(pool, statement, values, aim);
          resolve(cursor);
          await tracedQuery(statement, cursor.closed);
        }, originOf(reader))
        .catch(reject);
    });
  }

  private ask<Result>(statement: Statement, send: (sent: Statement) => Promise<Result>): Promise<Result> {
    return tracedQuery(statement, evenIfOutdated(sentOn(this.dataSource, statement), send));
  }

  private answerTo<Row extends QueryResultRow>(query: DescribedRead<Row>): Promise<Row[]> {
    // The pool takes any query that looks like the driver's; its types know those alone that give a stream.
    const answer = poolOf(this.dataSource).query(query as never) as unknown as Promise<Row[]>;
    return answer;
  }
}

/**
 * The rows of a statement of every login, in the transaction of a manager: planning it anew costs as much as it does. Only
 * for columns whose type stays: where a migration changes it, each connection would fail until it ends.
 */
export async function preparedRows<Row extends QueryResultRow>(
  manager: EntityManager,
  statement: PreparedRead<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await manager.queryRunner?.connect()) as DatabaseClient | undefined;
  if (client === undefined) throw new Error('Only the manager of a transaction has a connection');
  const answer = client.query<Row>({ ...sentOn(manager.connection, statement), values: [...values] });
  return (await tracedQuery(statement, answer)).rows;
}

/** Without its name where a pooler would give the next transaction a connection that does not know it. */
function sentOn(dataSource: DataSource, { name, text }: Statement): Statement {
  const isKept = name !== undefined && poolOf(dataSource).keepsStatements;
  return isKept ? { name, text } : { text };
}

/**
 * Sends a statement, once more without its name where a migration has made the prepared one outdated: other connections
 * know it from before, too.
 */
async function evenIfOutdated<Result>(
  statement: Statement,
  send: (statement: Statement) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(statement);
  } catch (error) {
    if (statement.name === undefined || !isOutdated(error)) throw error;
    return send({ text: statement.text });
  }
}

function originOf(reader: number | undefined): Origin {
  if (reader === undefined) return {};
  const key = `user:${reader}`;
  const share = { key, maxRunning: MAX_CURSORS_OF_USER, maxPlaces: MAX_CURSOR_PLACES_OF_USER };
  return { turns: [key], shares: [share] };
}
