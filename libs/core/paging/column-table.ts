import { prepared, type PreparedRead } from '../database/prepared-queries';

/** How one field of an entity is read, and whether its lists can be ordered by it. */
export interface Column {
  /** The SQL expression that gives the field. */
  readonly read: string;
  /** True: by what is read. An SQL expression: by that one. False: not at all. */
  readonly order: boolean | string;
}

/** The names of the columns that a list can be ordered by. */
type OrderedIn<Columns> = {
  [Field in keyof Columns]: Columns[Field] extends { readonly order: false } ? never : Field;
}[keyof Columns] &
  string;

/** What the lists of a column table can be ordered by. */
export type OrderOf<Table extends { orderOf(order: never): string }> = Parameters<Table['orderOf']>[0];

/** What is read of an entity: the one place that SELECT, ORDER BY and the types of both come from. */
export class ColumnTable<Row extends object, Order extends string> {
  /** Only for the compiler: what a row of the SELECT holds. */
  declare readonly row?: Row;
  /** The SELECT list: each field under its own name. */
  readonly selected: string;
  /** The name of the entity's table in the statement. */
  readonly alias: string;
  private readonly orders: ReadonlyMap<string, string>;

  /** `from` is the table with its alias; `joins` are what the fields need beside it. */
  constructor(
    readonly from: string,
    readonly joins: string,
    columns: Readonly<Record<string, Column>>,
    orders: Readonly<Record<string, string>>,
  ) {
    this.alias = from.slice(from.lastIndexOf(' ') + 1);
    this.selected = Object.entries(columns)
      .map(([field, { read }]) => (read === `${this.alias}.${field}` ? read : `${read} AS "${field}"`))
      .join(', ');
    const ordered = Object.entries(columns).flatMap(([field, { read, order }]): [string, string][] =>
      order === false ? [] : [[field, order === true ? read : order]],
    );
    this.orders = new Map([...ordered, ...Object.entries(orders)]);
  }

  /** The expression that an order stands for. */
  orderOf(order: Order): string {
    const expression = this.orders.get(order);
    if (expression === undefined) throw new Error(`${this.from} has no order ${order}`);
    return expression;
  }

  isOrder(name: string): name is Order {
    return this.orders.has(name);
  }

  /** Reads the rows that a condition selects. */
  select(condition: string): PreparedRead<Row> {
    return prepared<Row>(`SELECT ${this.selected} FROM ${this.from} ${this.joins} WHERE ${condition}`);
  }
}

/**
 * The columns of the rows of one type. The compiler refuses a table that leaves out a field of `Row` or has one too
 * many. `orders` are what lists can be ordered by beside the fields.
 */
export const columnsOf =
  <Row extends object>(from: string, joins = '') =>
  <
    const Columns extends Readonly<Record<keyof Row, Column>>,
    const Orders extends Readonly<Record<string, string>> = Record<never, string>,
  >(
    columns: Columns & Readonly<Record<Exclude<keyof Columns, keyof Row>, never>>,
    orders?: Orders,
  ): ColumnTable<Row, OrderedIn<Columns> | (keyof Orders & string)> =>
    new ColumnTable(from, joins, columns, orders ?? {});

/** A JSON object of the fields of one type, all of them and no others. */
export const jsonObject = <Value extends object>(fields: Readonly<Record<keyof Value, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([field, expression]) => `'${field}', ${String(expression)}`)
    .join(', ')})`;
