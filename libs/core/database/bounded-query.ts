import { DatabaseError, Query, type QueryResultRow } from 'pg';
import type { Statement } from './prepared-queries';

/** Rows that PostgreSQL sends before it is told whether to go on. */
const ROWS_PER_STEP = 100;

/** Bytes of a row's JSON beside a field's name and value: quotes, colon and comma. */
const JSON_MARKS = 4;

/** The part of the protocol between the driver's connection and its queries that its types leave out. */
interface DriverConnection {
  sync(): void;
}

interface DriverQuery {
  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void;
  handleDataRow(row: { readonly length: number }): void;
  handlePortalSuspended(connection: DriverConnection): void;
  handleError(error: Error, connection: DriverConnection): void;
}

const StepwiseQuery = Query as unknown as new (
  statement: Statement & { readonly rows: number },
  values: readonly unknown[],
) => DriverQuery;

/**
 * A statement whose rows are taken until they hold so many bytes: PostgreSQL is not asked for more, and what comes past
 * them never reaches memory. In the same round trip as any other where the rows are few.
 */
export class BoundedQuery<Row extends QueryResultRow> extends StepwiseQuery {
  /** Only for the compiler: what a row holds. */
  declare readonly row?: Row;
  /** Whether rows have been left out. */
  isCut = false;
  private bytes = 0;
  private bytesOfNames = 0;

  constructor(
    statement: Statement,
    values: readonly unknown[],
    private readonly maxBytes: number,
  ) {
    super({ ...statement, rows: ROWS_PER_STEP }, [...values]);
  }

  override handleRowDescription(message: Parameters<DriverQuery['handleRowDescription']>[0]): void {
    this.bytesOfNames = message.fields.reduce((sum, { name }) => sum + name.length + JSON_MARKS, 0);
    super.handleRowDescription(message);
  }

  /** The first row is taken whatever it holds: a page without any would never lead to the next one. */
  override handleDataRow(row: { readonly length: number }): void {
    if (this.isCut) return;
    const isFirst = this.bytes === 0;
    this.bytes += row.length + this.bytesOfNames;
    if (this.bytes > this.maxBytes && !isFirst) this.isCut = true;
    else super.handleDataRow(row);
  }

  override handlePortalSuspended(connection: DriverConnection): void {
    if (this.isCut) connection.sync();
    else super.handlePortalSuspended(connection);
  }

  /** After an error PostgreSQL waits for this message, which the driver sends for statements without steps alone. */
  override handleError(error: Error, connection: DriverConnection): void {
    if (error instanceof DatabaseError) connection.sync();
    super.handleError(error, connection);
  }
}
