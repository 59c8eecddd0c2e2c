import type { PoolClient, QueryResultRow } from 'pg';
import { ReadingPace } from '../../concurrency/reading-pace';
import { LONG_LIMITS } from '../database-limits';
import type { DatabasePool } from '../database-pool';
import type { DatabaseClient } from './database-client';
import { bytesOf } from './row-size';
import type { Statement } from './statement';

/**
 * Maximum rows of a batch: some hundred kB, so that a whole table needs little memory. The size of
 * earlier rows determines the number of the next ones. The first batch is one row, because a record with
 * a long list may have some MB.
 */
const MAX_ROWS_PER_FETCH = 200;
const FIRST_ROWS = 1;
const BYTES_PER_FETCH = 1_000_000;
/** Maximum growth of a batch, because short rows say little about the next ones. */
const MAX_GROWTH = 4;

/**
 * Milliseconds for a client to read one batch, before PostgreSQL ends the transaction, and to read
 * everything. Far longer than for writes, because a slow line is no error. But cursors are few, and a client
 * that reads a byte now and then must not keep one.
 */
const MAX_PAUSE = 120_000;
const MAX_READING = 600_000;

/**
 * One snapshot of the data. `statement_timeout` applies to each fetch. The first fetch may sort a whole
 * table. A plan for the first rows may choose a nested loop, so the planner gets all rows as its goal.
 */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${MAX_PAUSE};
  SET LOCAL statement_timeout = ${LONG_LIMITS.statement};
  SET LOCAL cursor_tuple_fraction = 1`;

/** The rows of one statement in batches, on its own connection, which `close` returns. */
export class RowCursor<Row extends QueryResultRow> implements AsyncIterable<Row[]> {
  /** Settles when the connection has been returned. */
  readonly closed: Promise<void>;
  private settle!: () => void;
  private state: 'open' | 'closed' | 'lost' = 'open';
  private rowsPerFetch = FIRST_ROWS;
  /** For what is made of the rows. */
  readonly pace = new ReadingPace();
  /** Settles with the running statement. */
  private underWay: Promise<unknown> = Promise.resolve();
  isAtEnd = false;
  private readonly deadline = setTimeout(() => void this.close(), MAX_READING).unref();

  private constructor(
    private readonly client: PoolClient,
    private readonly statement: Statement<unknown>,
    private readonly values: readonly unknown[],
  ) {
    this.closed = new Promise((resolve) => (this.settle = resolve));
    // Without a listener, a connection that breaks between two fetches would end the process.
    client.on('error', this.lose);
  }

  static async open<Row extends QueryResultRow>(
    pool: DatabasePool,
    statement: Statement<unknown>,
    values: readonly unknown[],
  ): Promise<RowCursor<Row>> {
    const cursor = new RowCursor<Row>(await pool.connect(), statement, values);
    try {
      await cursor.client.query(BEGIN);
      (cursor.client as unknown as DatabaseClient).setSocketTimeout(LONG_LIMITS.socketTimeout);
      await cursor.client.query(`DECLARE list_rows NO SCROLL CURSOR FOR ${statement.text}`, [...values]);
      return cursor;
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }

  async next(): Promise<Row[]> {
    if (this.state !== 'open') throw new Error(`The cursor is ${this.state}`);
    const client = this.client as unknown as DatabaseClient;
    const bytesBefore = client.bytesRead;
    const wanted = this.rowsPerFetch;
    const fetching = this.client.query<Row>(`FETCH ${wanted} FROM list_rows`);
    this.underWay = fetching.catch(() => undefined);
    const { rows } = await fetching;
    this.isAtEnd = rows.length < wanted;
    const bytesOfRow = (client.bytesRead - bytesBefore) / Math.max(1, rows.length);
    const fitting = Math.floor(BYTES_PER_FETCH / Math.max(1, bytesOfRow));
    this.rowsPerFetch = Math.max(1, Math.min(fitting, wanted * MAX_GROWTH, MAX_ROWS_PER_FETCH));
    // Rows left in the driver's results stay in memory until a full garbage
    // collection, a few hundred MB later.
    return rows.splice(0);
  }

  /** The remaining batches. Closes the cursor after them, or when its reader stops. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row[], void> {
    try {
      while (!this.isAtEnd) yield await this.next();
    } finally {
      await this.close();
    }
  }

  /**
   * Whether the list has more rows, in the snapshot of the cursor. Costs about as
   * much as reading `count` rows.
   */
  async hasMoreThan(count: number): Promise<boolean> {
    const { rows } = await this.client.query(
      `SELECT 1 FROM (${this.statement.text}) list OFFSET $${this.values.length + 1} LIMIT 1`,
      [...this.values, count],
    );
    return rows.length > 0;
  }

  /** Returns the connection. Can be called again. */
  async close(): Promise<void> {
    if (this.state !== 'open') return this.closed;
    this.state = 'closed';
    try {
      await this.underWay;
      await this.client.query('ROLLBACK');
      this.giveBack();
    } catch (error) {
      this.giveBack(error as Error);
    }
  }

  private readonly lose = (error: Error): void => {
    if (this.state !== 'open') return;
    this.state = 'lost';
    this.giveBack(error);
  };

  private giveBack(error?: Error): void {
    // A broken connection keeps the listener, because it may report its end again.
    if (error === undefined) this.client.off('error', this.lose);
    clearTimeout(this.deadline);
    this.client.release(error);
    this.settle();
  }
}

/** Rows of each step of {@link rowsByCursor}. */
const ROWS_PER_STEP = 100;

/**
 * The first rows of a statement up to a total of `maxBytes`, at least one row. They come in steps, so that
 * the memory of a page is bounded whatever its rows are like.
 */
export async function rowsByCursor<Row extends QueryResultRow>(
  pool: DatabasePool,
  { text }: Statement<unknown>,
  values: readonly unknown[],
  maxBytes: number,
): Promise<{ readonly rows: Row[]; readonly isCut: boolean }> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY; SET LOCAL cursor_tuple_fraction = 1');
    await client.query(`DECLARE page_rows NO SCROLL CURSOR FOR ${text}`, [...values]);
    const rows: Row[] = [];
    let bytes = 0;
    for (;;) {
      const step = await client.query<Row>(`FETCH ${ROWS_PER_STEP} FROM page_rows`);
      for (const row of step.rows) {
        bytes += bytesOf(row);
        if (bytes > maxBytes && rows.length > 0) return { rows, isCut: true };
        rows.push(row);
      }
      if (step.rows.length < ROWS_PER_STEP) return { rows, isCut: false };
    }
  } finally {
    // Without an answer to it the connection is not used again.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}
