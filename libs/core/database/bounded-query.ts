import { DatabaseError, type Connection, type QueryResultRow } from 'pg';
import { DescribedRead, type DataRow, type RowForm, type SentQuery } from './described-read';

/** Rows that PostgreSQL sends before it is told whether to go on. */
const ROWS_PER_STEP = 100;

/** Bytes of a row's JSON beside a field's name and value: quotes, colon and comma. */
const JSON_MARKS = 4;

/**
 * A statement whose rows are taken until they hold so many bytes: PostgreSQL is not asked for more, and what comes past
 * them never reaches memory. In the same round trip as any other where the rows are few.
 */
export class BoundedQuery<Row extends QueryResultRow> extends DescribedRead<Row> {
  override readonly rows = ROWS_PER_STEP;
  /** Whether rows have been left out. */
  isCut = false;
  private bytes = 0;

  constructor(
    query: SentQuery,
    private readonly maxBytes: number,
  ) {
    super(query);
  }

  /** The first row is taken whatever it holds: a page without any would never lead to the next one. */
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

  /** After an error PostgreSQL waits for this message, which the driver sends for statements without steps alone. */
  override handleError(error: Error, connection: Connection): void {
    if (error instanceof DatabaseError) connection.sync();
    super.handleError(error, connection);
  }
}

const bytesOfNames = (form: RowForm | undefined): number =>
  form === undefined ? 0 : form.lengthOfNames + JSON_MARKS * form.columns.length;
