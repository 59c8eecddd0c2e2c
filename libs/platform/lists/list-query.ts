import { prepared } from '../database/pg-reads/database-reads';
import type { Type } from '@nestjs/common';
import { shownFields } from '../dto/shapes';
import type { ListRequest, PageQuery } from './paginator';
import type { PreparedStatement, Statement } from '../database/pg-reads/statement';

/** The SQL of one field of an entity. */
export interface Column {
  readonly read: string;
  /** The order of lists by this field: by `read` (true), by another expression, or none (false). */
  readonly order: boolean | string;
}

/** The names of the columns that a list can be ordered by. */
type OrderedIn<Columns> = {
  [Field in keyof Columns]: Columns[Field] extends { readonly order: false } ? never : Field;
}[keyof Columns] &
  string;

/** The orders of a column table. */
export type OrderOf<Table extends { orderOf(order: never): string }> = Parameters<Table['orderOf']>[0];

/** The columns of an entity: the single source of SELECT, ORDER BY and their types. */
class ColumnTable<Row extends object, Order extends string> {
  /** The type of a row, only for the compiler. */
  declare readonly row?: Row;
  /** The SELECT list: each field under its own name. */
  readonly selected: string;
  readonly alias: string;
  private readonly orders: ReadonlyMap<string, string>;

  /** `from` is the table with its alias; `joins` are the other tables that the fields need. */
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

  orderOf(order: Order): string {
    const expression = this.orders.get(order);
    if (expression === undefined) throw new Error(`${this.from} has no order ${order}`);
    return expression;
  }

  isOrder(name: string): name is Order {
    return this.orders.has(name);
  }

  select(condition: string): PreparedStatement<Row> {
    return prepared<Row>(`SELECT ${this.selected} FROM ${this.from} ${this.joins} WHERE ${condition}`);
  }
}

/** The columns of one row type; the compiler refuses a missing or an extra field. `orders` are further orders of lists. */
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

/**
 * SQL of a list inside a record, as JSON. A limit in the database bounds its length, or else `most`. `item` is the JSON
 * object of an item, `from` the FROM and WHERE of the items.
 */
export const jsonList = (item: string, from: string, order: string, most?: number): string =>
  most === undefined
    ? `(SELECT coalesce(json_agg(${item} ORDER BY ${order}), '[]') ${from})`
    : `(SELECT coalesce(json_agg(listed.item), '[]')
        FROM (SELECT ${item} AS item ${from} ORDER BY ${order} LIMIT ${most}) listed)`;

/** A JSON object of the fields of one type, all of them and no others. */
export const jsonObject = <Value extends object>(fields: Readonly<Record<keyof Value, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([field, expression]) => `'${field}', ${String(expression)}`)
    .join(', ')})`;

/** The fields that hold a text, a number or a boolean. */
type ScalarOf<Item> = {
  [Field in keyof Item]-?: NonNullable<Item[Field]> extends string | number | boolean ? Field : never;
}[keyof Item] &
  string;

/** The order of each scalar field that has another name than its order. */
type Renames<Item, Order extends string> = Readonly<Record<Exclude<ScalarOf<Item>, Order>, Order>> &
  Readonly<Partial<Record<ScalarOf<Item>, Order>>>;

/**
 * The values of `orderBy` with their orders: the `@Shown` fields of the list's items that have one. The compiler asks for
 * the order of each scalar field with another name, so that no field is forgotten. `after` moves a field behind another
 * one, in errors and documents.
 */
export function orderBy<Row extends object, Order extends string, Item extends object>(
  columns: ColumnTable<Row, Order>,
  item: Type<Item>,
  renames: Renames<Item, Order>,
  { after }: { readonly after?: Readonly<Partial<Record<ScalarOf<Item>, ScalarOf<Item>>>> } = {},
): Readonly<Record<string, Order>> {
  const stated: Readonly<Partial<Record<string, string>>> = renames;
  const fields = shownFields(item);
  for (const [field, previous] of Object.entries<string | undefined>(after ?? {})) {
    fields.splice(fields.indexOf(field), 1);
    fields.splice(fields.indexOf(previous ?? '') + 1, 0, field);
  }
  const orders: Record<string, Order> = {};
  for (const field of fields) {
    const order = stated[field] ?? field;
    if (columns.isOrder(order)) orders[field] = order;
  }
  return orders;
}

/** The LIKE pattern that finds the text as a substring, with `%`, `_` and `\` as ordinary characters. */
export const substringPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

export const directionOf = ({ descending }: Pick<ListRequest<string>, 'descending'>): 'ASC' | 'DESC' =>
  descending ? 'DESC' : 'ASC';

/** Collects the parameters of a statement. */
export class SqlParameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[] = []) {
    this.values = [...first];
  }

  /** Adds a value and gives its placeholder. PostgreSQL refuses parameters that a statement does not use. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The condition that one of the lower-case texts contains a value, in any case. */
  contains(value: string, ...texts: readonly string[]): string {
    const pattern = this.add(substringPattern(value));
    const found = texts.map((text) => `${text} LIKE lower(${pattern})`).join(' OR ');
    return texts.length > 1 ? `(${found})` : found;
  }
}

type Extent = Pick<ListRequest<string>, 'limit' | 'offset' | 'isPlain'>;

/**
 * LIMIT and OFFSET of a page. One row more tells whether others follow. A plain page has the numbers in its text, so that
 * PostgreSQL plans for five rows.
 */
export function extentOf({ limit, offset, isPlain }: Extent, parameters: SqlParameters): string {
  if (isPlain === true) return `LIMIT ${limit + 1} OFFSET ${offset}`;
  return `LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(offset)}`;
}

const plainStatements = new Map<string, PreparedStatement>();

/**
 * The statement of a page. Its text depends on which parameters a request has. That makes thousands of texts, so only plain
 * pages are prepared, a few for each list: planning takes longer than reading five rows.
 */
export function pageStatement<Row>(text: string, { isPlain }: Pick<Extent, 'isPlain'>): Statement<Row> {
  if (isPlain !== true) return { text };
  const known = plainStatements.get(text) ?? prepared(text);
  plainStatements.set(text, known);
  return known;
}

/** Builds the statement of a page. */
export class ListQuery<Row extends object, Order extends string> {
  private readonly parameters: SqlParameters;
  private readonly conditions: string[] = [];

  /** `own` are the values of $1, $2 and so on in columns and conditions. */
  constructor(
    private readonly columns: ColumnTable<Row, Order>,
    private readonly request: Omit<ListRequest<Order>, 'search'>,
    own: readonly unknown[] = [],
  ) {
    this.parameters = new SqlParameters(own);
  }

  /** Only rows whose column has the value; undefined selects all. */
  with(column: string, value: unknown): this {
    return value === undefined ? this : this.where(`${column} = ${this.parameters.add(value)}`);
  }

  /** Only rows with the value in one of two columns. */
  withEither(columns: readonly [string, string], value: unknown): this {
    const parameter = this.parameters.add(value);
    return this.where(`(${columns[0]} = ${parameter} OR ${columns[1]} = ${parameter})`);
  }

  where(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  /** Only rows with the request's filter in one of the lower-case texts. */
  filteredBy(...texts: readonly string[]): this {
    const { filter } = this.request;
    return filter === undefined ? this : this.where(this.parameters.contains(filter, ...texts));
  }

  /** One plain SELECT. */
  page(): PageQuery<Row> {
    const { selected, from, joins } = this.columns;
    return this.quick(`SELECT ${selected} FROM ${from} ${joins} ${this.selection} ${this.limits}`);
  }

  /** Picks the page first: one SELECT would collect the details of skipped rows too. */
  pickedFirst(): PageQuery<Row> {
    const { selected, from, joins, alias } = this.columns;
    return this.query(`
      SELECT ${selected}
      FROM (SELECT ${alias}.id FROM ${from} ${this.selection} ${this.limits}) picked
      JOIN ${from} ON ${alias}.id = picked.id ${joins}
      ${this.order}`);
  }

  /** Adds the total of the list to every row. For short lists only: it collects all rows to count them. */
  withTotal(): PageQuery<Row> {
    const { selected, from, joins, alias } = this.columns;
    return this.quick(`
      WITH matching AS (SELECT ${alias}.* FROM ${from} ${this.selection}),
      page AS (SELECT ${alias}.* FROM matching ${alias} ${this.limits})
      SELECT counted.total AS "listTotal", ${selected}
      FROM (SELECT count(*)::integer AS total FROM matching) counted LEFT JOIN page ${alias} ON true ${joins}
      ${this.order}`);
  }

  private get selection(): string {
    return `WHERE ${this.conditions.join(' AND ')}`;
  }

  /** By id within equal keys, so that each row is on exactly one page. */
  private get order(): string {
    const direction = directionOf(this.request);
    const byId = `${this.columns.alias}.id ${direction}`;
    const { orderBy } = this.request;
    return `ORDER BY ${orderBy === 'id' ? '' : `${this.columns.orderOf(orderBy)} ${direction}, `}${byId}`;
  }

  private get limits(): string {
    return `${this.order} ${extentOf(this.request, this.parameters)}`;
  }

  private quick(text: string): PageQuery<Row> {
    return { ...this.query(text), isPipelined: true };
  }

  private query(text: string): PageQuery<Row> {
    return { statement: pageStatement(text, this.request), values: this.parameters.values };
  }
}
