import { type Connection, DatabaseError, Query, type QueryResultRow, types } from 'pg';

/** A value that is sent unchanged. The driver converts all other values by its own rules. */
type PlainValue = string | number | boolean | Buffer | null;

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** A row as PostgreSQL sends it. */
interface DataRow {
  /** Bytes. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

/** PostgreSQL's description of the rows of a statement. */
interface RowForm {
  readonly columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
  /** A row with every column null; all rows are copies of it. */
  readonly empty: QueryResultRow;
  /** Characters of all column names. */
  readonly lengthOfNames: number;
}

function rowFormOf(described: readonly Column[]): RowForm {
  const columns = described.map(({ name, dataTypeID }) => ({
    name,
    parse: types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
  }));
  return {
    columns,
    empty: Object.fromEntries(columns.map(({ name }) => [name, null])),
    lengthOfNames: columns.reduce((sum, { name }) => sum + name.length, 0),
  };
}

/** The row forms of prepared statements by name, for each connection. */
const knownForms = new WeakMap<Connection, Map<string, RowForm>>();

/** A statement with its values. One with a name is prepared once on each connection. */
export interface SentQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Callback<Row> = (error: Error | undefined, rows: Row[]) => void;

/** The driver's query with the members that its types leave out. */
interface DriverQuery {
  name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly portal: string;
  rows?: number | undefined;
  /** The driver sets a callback if it is absent. */
  readonly callback?: Callback<never>;
  submit(connection: Connection): unknown;
  handleError(error: Error, connection: Connection): void;
}

const DriverQuery = Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback?: Callback<never>,
) => DriverQuery;

/**
 * A query that returns only its rows. For a prepared statement it requests the row description once per connection; PostgreSQL
 * refuses to run a prepared statement whose rows have changed. The driver requests it each time and rebuilds its row readers,
 * which costs a request 4 to 25 % of its processor time (Node 26).
 */
export class CachedShapeQuery<Row extends QueryResultRow> extends DriverQuery {
  private readonly found: Row[] = [];
  protected form: RowForm | undefined;
  private failure: Error | undefined;
  private connection: Connection | undefined;

  /** @param options `rows`: how many rows PostgreSQL sends before it waits for the next message; absent for all */
  constructor(query: SentQuery, options: { readonly callback?: Callback<Row>; readonly rows?: number } = {}) {
    // The driver copies an object property by property, which takes longer than everything else here.
    super(query.text, query.values, options.callback);
    this.name = query.name;
    this.rows = options.rows;
  }

  override submit(connection: Connection): unknown {
    this.connection = connection;
    this.form = this.name === undefined ? undefined : knownForms.get(connection)?.get(this.name);
    if (this.form === undefined || !this.values.every(isPlain)) return super.submit(connection);
    connection.stream.cork();
    connection.bind({ statement: this.name ?? '', values: this.values.map(sent) }, true);
    this.takeRows(connection);
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.form = rowFormOf(fields);
    if (this.name === undefined || this.connection === undefined) return;
    const known = knownForms.get(this.connection) ?? new Map<string, RowForm>();
    knownForms.set(this.connection, known.set(this.name, this.form));
  }

  handleDataRow({ fields }: DataRow): void {
    if (this.failure !== undefined || this.form === undefined) return;
    const { columns, empty } = this.form;
    const row: QueryResultRow = { ...empty };
    try {
      for (let index = 0; index < columns.length; index++) {
        const [column, text] = [columns[index], fields[index]];
        if (column !== undefined && typeof text === 'string') row[column.name] = column.parse(text);
      }
      this.found.push(row as Row);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleCommandComplete(_message: unknown, connection: Connection): void {
    if (this.rows !== undefined) connection.sync();
  }

  handleReadyForQuery(): void {
    this.answer(this.failure, this.found);
  }

  override handleError(error: Error, _connection: Connection): void {
    this.answer(error, []);
  }

  protected takeRows(connection: Connection): void {
    connection.execute({ portal: this.portal, rows: String(this.rows ?? 0) }, true);
    if (this.rows === undefined) connection.sync();
    else connection.flush();
  }

  private answer(error: Error | undefined, rows: Row[]): void {
    (this.callback as Callback<Row> | undefined)?.(error, rows);
  }
}

const isPlain = (value: unknown): value is PlainValue =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  Buffer.isBuffer(value);

/** The form that the driver's messages need: bytes unchanged, everything else as text. */
const sent = (value: PlainValue): string | Buffer | null =>
  value === null || Buffer.isBuffer(value) ? value : String(value);

/** Rows that PostgreSQL sends before it waits for the next message. */
const ROWS_PER_STEP = 100;

/** Bytes of a field in JSON in addition to its name and value: quotes, colon and comma. */
const JSON_MARKS = 4;

/**
 * A query that accepts rows up to a number of bytes, and then asks PostgreSQL for no more. This limits the memory of a page. A
 * page of up to 100 rows costs one round trip, like any other query.
 */
export class ByteLimitedQuery<Row extends QueryResultRow> extends CachedShapeQuery<Row> {
  /** Whether rows are missing. */
  isCut = false;
  private bytes = 0;

  constructor(
    query: SentQuery,
    private readonly maxBytes: number,
  ) {
    super(query, { rows: ROWS_PER_STEP });
  }

  /** Accepts a first row of any size, because an empty page would never lead to the next one. */
  override handleDataRow(row: DataRow): void {
    if (this.isCut) return;
    const isFirst = this.bytes === 0;
    this.bytes += row.length + bytesOfNames(this.form);
    if (this.bytes > this.maxBytes && !isFirst) this.isCut = true;
    else super.handleDataRow(row);
  }

  handlePortalSuspended(connection: Connection): void {
    if (this.isCut) connection.sync();
    else this.takeRows(connection);
  }

  /** After an error PostgreSQL waits for a Sync, which the driver sends only for queries without steps. */
  override handleError(error: Error, connection: Connection): void {
    if (error instanceof DatabaseError) connection.sync();
    super.handleError(error, connection);
  }
}

const bytesOfNames = (form: RowForm | undefined): number =>
  form === undefined ? 0 : form.lengthOfNames + JSON_MARKS * form.columns.length;
