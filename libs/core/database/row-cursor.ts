import type { PoolClient, QueryResultRow } from 'pg';
import type { DatabaseClient } from './database-client';
import { LONG_SILENCE_TIMEOUT, LONG_STATEMENT_TIMEOUT } from './database-limits';
import type { DatabasePool } from './database-pool';
import type { Statement } from './prepared-queries';

/**
 * Rows fetched at once: some hundred kB, so that a whole table passes through little memory. Where rows are longer there
 * are fewer of them, by what those before took; the first are few.
 */
const MAX_ROWS_PER_FETCH = 200;
const FIRST_ROWS = 20;
const BYTES_PER_FETCH = 1_000_000;
/** How many times as many as the last time at most: short rows say little of those that follow. */
const MAX_GROWTH = 4;

/**
 * Milliseconds that the reader may take over one batch before PostgreSQL ends the transaction, and over all of them.
 * Far longer than for requests that write (see data-source-options.ts): a slow line is no error. But others wait for
 * the few cursors there are, and a reader that takes a byte now and then must not keep one.
 */
const MAX_PAUSE = 120_000;
const MAX_READING = 600_000;

/**
 * What a cursor is planned for. Rows that an index gives in order come soon when each is then looked up by itself;
 * where that means to look through others for each of them, all rows together come sooner from hashes and a sort.
 */
export type CursorAim = 'first-rows' | 'all-rows';

const FRACTION_OF: Readonly<Record<CursorAim, number>> = { 'first-rows': 0.0001, 'all-rows': 1 };

/**
 * One snapshot of the data. Each fetch is a statement of its own for `statement_timeout`, so that a long list is no
 * long statement; the first may have to sort a whole table.
 */
const begin = (aim: CursorAim): string => `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${MAX_PAUSE};
  SET LOCAL statement_timeout = ${LONG_STATEMENT_TIMEOUT};
  SET LOCAL cursor_tuple_fraction = ${FRACTION_OF[aim]}`;

/** The rows of one statement in batches, on a connection of its own that `close` gives back. */
export class RowCursor<Row extends QueryResultRow> {
  /** Settles when the connection has been given back. */
  readonly closed: Promise<void>;
  private settle!: () => void;
  private state: 'open' | 'closed' | 'lost' = 'open';
  private rowsPerFetch = FIRST_ROWS;
  /** Settles with the statement under way: the driver takes one at a time. */
  private underWay: Promise<unknown> = Promise.resolve();
  private hasEnded = false;
  private readonly deadline = setTimeout(() => void this.close(), MAX_READING).unref();

  private constructor(
    private readonly client: PoolClient,
    private readonly statement: Statement,
    private readonly values: readonly unknown[],
  ) {
    this.closed = new Promise((resolve) => (this.settle = resolve));
    // Without a listener, a connection that breaks between two fetches would end the process.
    client.on('error', this.lose);
  }

  static async open<Row extends QueryResultRow>(
    pool: DatabasePool,
    statement: Statement,
    values: readonly unknown[],
    aim: CursorAim = 'first-rows',
  ): Promise<RowCursor<Row>> {
    const cursor = new RowCursor<Row>(await pool.connect(), statement, values);
    try {
      await cursor.client.query(begin(aim));
      (cursor.client as unknown as DatabaseClient).limitSilence(LONG_SILENCE_TIMEOUT);
      await cursor.client.query(`DECLARE list_rows NO SCROLL CURSOR FOR ${statement.text}`, [...values]);
      return cursor;
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }

  /** Whether the last rows have been read. */
  get isAtEnd(): boolean {
    return this.hasEnded;
  }

  /** The next rows. */
  async next(): Promise<Row[]> {
    if (this.state !== 'open') throw new Error(`The cursor is ${this.state}`);
    const client = this.client as unknown as DatabaseClient;
    const bytesBefore = client.bytesRead;
    const wanted = this.rowsPerFetch;
    const fetching = this.client.query<Row>(`FETCH ${wanted} FROM list_rows`);
    this.underWay = fetching.catch(() => undefined);
    const { rows } = await fetching;
    this.hasEnded = rows.length < wanted;
    const bytesOfRow = (client.bytesRead - bytesBefore) / Math.max(1, rows.length);
    const fitting = Math.floor(BYTES_PER_FETCH / Math.max(1, bytesOfRow));
    this.rowsPerFetch = Math.max(1, Math.min(fitting, wanted * MAX_GROWTH, MAX_ROWS_PER_FETCH));
    // The driver's results hang together: rows left in them would stay until the garbage collector's full run,
    // a few hundred MB later.
    return rows.splice(0);
  }

  /** Whether the statement has more than `count` rows, in the same snapshot. Costs about as much as reading them. */
  async hasMoreThan(count: number): Promise<boolean> {
    const { rows } = await this.client.query(
      `SELECT 1 FROM (${this.statement.text}) list OFFSET $${this.values.length + 1} LIMIT 1`,
      [...this.values, count],
    );
    return rows.length > 0;
  }

  /** Gives the connection back, whatever has been read; may be called again. */
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
    // Kept on a broken connection, which may report its end more than once.
    if (error === undefined) this.client.off('error', this.lose);
    clearTimeout(this.deadline);
    this.client.release(error);
    this.settle();
  }
}
