import { createRequire } from 'node:module';
import {
  type Client,
  type Connection,
  DatabaseError,
  Query,
  type QueryResult,
  type QueryResultRow,
} from 'pg';

/** A statement with its values. One with a name is prepared once on each connection. */
export interface SentQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What the driver makes of PostgreSQL's description of the rows of a statement. */
interface RowReader {
  readonly fields: readonly { readonly name: string }[];
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** A row as PostgreSQL sends it. */
interface DataRow {
  /** Bytes. */
  readonly length: number;
}

/** The driver's query with the members that its types leave out. */
interface DriverQuery {
  name?: string | undefined;
  readonly values: readonly unknown[];
  rows?: number | undefined;
  readonly _result: RowReader;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  _getRows(connection: Connection, rows: number | undefined): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(row: DataRow): void;
  handlePortalSuspended(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

const DriverQuery = Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery;

/** The driver's conversion of a value into the form of its messages. */
const { prepareValue } = createRequire(__filename)('pg/lib/utils') as {
  readonly prepareValue: (value: unknown) => unknown;
};

/** The row readers of prepared statements by name, for each connection. */
const knownReaders = new WeakMap<Connection, Map<string, RowReader>>();

/**
 * A query that, for a prepared statement, requests the row description once per connection; PostgreSQL
 * refuses to run a prepared statement whose rows have changed. The driver requests it each time and rebuilds
 * its row readers, which costs a request 4 to 25 % of its processor time (Node 26).
 */
export class CachedShapeQuery<Row extends QueryResultRow> extends DriverQuery {
  private connection: Connection | undefined;

  constructor({ name, text, values }: SentQuery) {
    // The driver copies an object property by property, which takes longer than everything else here.
    super(text, values);
    this.name = name;
  }

  rowsFrom(client: Client): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: QueryResult<Row>) =>
        error ? reject(error) : resolve(result.rows);
      void client.query(this as never, settle as never);
    });
  }

  override prepare(connection: Connection): void {
    this.connection = connection;
    const reader = this.name === undefined ? undefined : knownReaders.get(connection)?.get(this.name);
    if (reader === undefined) return super.prepare(connection);
    Object.assign(this._result, reader);
    this._accumulateRows = true;
    connection.bind({ statement: this.name, values: this.values, valueMapper: prepareValue } as never, true);
    this._getRows(connection, this.rows);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    if (this.name === undefined || this.connection === undefined) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    const known = knownReaders.get(this.connection) ?? new Map<string, RowReader>();
    knownReaders.set(this.connection, known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject }));
  }
}

/** Rows that PostgreSQL sends before it waits for the next message. */
const ROWS_PER_STEP = 100;

/** Bytes of a field in JSON in addition to its name and value: quotes, colon and comma. */
const JSON_MARKS = 4;

/**
 * A query that accepts rows up to a number of bytes, and then asks PostgreSQL for no more. This limits the
 * memory of a page. A page of up to 100 rows costs one round trip, like any other query.
 */
export class ByteLimitedQuery<Row extends QueryResultRow> extends CachedShapeQuery<Row> {
  /** Whether rows are missing. */
  isCut = false;
  private bytes = 0;
  private bytesOfNames: number | undefined;

  constructor(
    query: SentQuery,
    private readonly maxBytes: number,
  ) {
    super(query);
    this.rows = ROWS_PER_STEP;
  }

  /** Accepts a first row of any size, because an empty page would never lead to the next one. */
  override handleDataRow(row: DataRow): void {
    if (this.isCut) return;
    const isFirst = this.bytes === 0;
    this.bytesOfNames ??= this._result.fields.reduce((sum, { name }) => sum + name.length + JSON_MARKS, 0);
    this.bytes += row.length + this.bytesOfNames;
    if (this.bytes > this.maxBytes && !isFirst) this.isCut = true;
    else super.handleDataRow(row);
  }

  override handlePortalSuspended(connection: Connection): void {
    if (this.isCut) connection.sync();
    else super.handlePortalSuspended(connection);
  }

  /** After an error PostgreSQL waits for a Sync, which the driver sends only for queries without steps. */
  override handleError(error: Error, connection: Connection): void {
    if (error instanceof DatabaseError) connection.sync();
    super.handleError(error, connection);
  }
}
