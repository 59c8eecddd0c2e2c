import type { Type } from '@nestjs/common';
import { byKey } from '../database/pg-reads/database-reads';
import type { KeyStatement } from '../database/pg-reads/statement';
import { schemaOf } from '../database/schema-names';
import { responseFields } from '../dto/shapes';

/** SQL for a field. */
export interface Column<Value = unknown, Order extends string | false = string | false> {
  readonly read: string;
  /** SQL for the order of lists by this field; false if there is none. */
  readonly order: Order;
  /** The type of the field, only for the compiler. */
  readonly value?: Value;
}

/** A field by which lists cannot be ordered. */
export const shown = <Value>(read: string): Column<Value, false> => ({ read, order: false });

/** A field by which lists can be ordered. */
export const ordered = <Value>(read: string, order = read): Column<Value, string> => ({ read, order });

/** The order of a text that people write: that of ICU's root collation, whatever the database is like. */
export const alphabetical = (text: string): string => `${text} COLLATE "und-x-icu"`;

/** The order of identifiers and of words of the contract, by their bytes. */
export const bytewise = (text: string): string => `${text} COLLATE "C"`;

/** The fields by which a list can be ordered. */
type OrderedIn<Sql> = {
  [Field in keyof Sql]: Sql[Field] extends { readonly order: false } ? never : Field;
}[keyof Sql] &
  string;

/** The row of a column table. */
export type RowOf<Table extends { readonly row?: object }> = NonNullable<Table['row']>;

/** The orders of a column table. */
export type OrderOf<Table extends { orderOf(order: never): string }> = Parameters<Table['orderOf']>[0];

/** SQL for a time in Unix seconds. */
const secondsOf = (moment: string): string => `floor(extract(epoch FROM ${moment}))::float8`;

/** The columns of an entity: the only source of SELECT, ORDER BY and their types. */
export class ColumnTable<Row extends object, Order extends string> {
  /** The type of a row, only for the compiler. */
  declare readonly row?: Row;
  /** The SELECT list: each field under its own name. */
  readonly selected: string;
  readonly alias: string;
  private readonly orders: ReadonlyMap<string, string>;

  /** `from` is the table with its alias; `joins` are other tables that the fields need. */
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
    this.orders = new Map([
      ...Object.entries(columns).flatMap(([field, { order }]) =>
        order === false ? [] : [[field, order] as const],
      ),
      ...Object.entries(orders),
    ]);
  }

  orderOf(order: Order): string {
    const expression = this.orders.get(order);
    if (expression === undefined) throw new Error(`${this.from} has no order ${order}`);
    return expression;
  }

  get orderNames(): readonly Order[] {
    return [...this.orders.keys()] as Order[];
  }

  isOrder(name: string): name is Order {
    return this.orders.has(name);
  }

  /** A comment that names a statement in traces and in pg_stat_statements, such as `contacts.list`. */
  nameOf(work: 'read' | 'list'): string {
    return `/* ${this.from.split(' ', 1).join()}.${work} */`;
  }

  select(condition: string): KeyStatement<Row> {
    return byKey<Row>(
      `${this.nameOf('read')} SELECT ${this.selected} FROM ${this.from} ${this.joins} WHERE ${condition}`,
    );
  }
}

/** SQL for plain columns of an entity, by their fields. */
export function namesOf<Entity extends object, Field extends keyof Entity & string>(
  entity: Type<Entity>,
  alias: string,
  fields: readonly Field[],
) {
  const { columns } = schemaOf(entity);
  const names = fields.map((field) => [field, `${alias}.${columns.get(field)}`]);
  return Object.fromEntries(names) as Readonly<Record<Field, string>>;
}

/** The fields of a record. */
interface Fields<Ordered, Codes, Shown, Seconds, Sql, Orders> {
  /**
   * Columns of the entity by which lists can be ordered. Texts are ordered as people
   * do, {@link alphabetical}.
   */
  readonly ordered?: readonly Ordered[];
  /** Texts by which lists are ordered {@link bytewise}: identifiers, tokens, words of the contract. */
  readonly codes?: readonly Codes[];
  /** Columns of the entity by which lists cannot be ordered. */
  readonly shown?: readonly Shown[];
  /** Times in Unix seconds, by which lists can be ordered. */
  readonly seconds?: readonly Seconds[];
  /** Fields that are not plain columns. */
  readonly sql?: Sql;
  /** Further tables for these fields. */
  readonly joins?: string;
  /** Further orders of lists. */
  readonly orders?: Orders;
}

/** The columns of a record; SQL names and types of plain columns come from the entity. */
export function columnsOf<
  Entity extends object,
  const Ordered extends keyof Entity & string = never,
  const Codes extends keyof Entity & string = never,
  const Shown extends keyof Entity & string = never,
  const Seconds extends keyof Entity & string = never,
  Sql extends Readonly<Record<string, Column>> = Record<never, Column>,
  const Orders extends Readonly<Record<string, string>> = Record<never, string>,
>(entity: Type<Entity>, alias: string, fields: Fields<Ordered, Codes, Shown, Seconds, Sql, Orders>) {
  type Row = Readonly<Pick<Entity, Ordered | Codes | Shown>> & {
    readonly [Field in Seconds]: number | Extract<Entity[Field], null>;
  } & { readonly [Field in keyof Sql]: Sql[Field] extends Column<infer Value> ? Value : never };
  const { table, texts } = schemaOf(entity);
  const plain = (
    own: readonly (keyof Entity & string)[] = [],
    columnOf: (sql: string, field: string) => Column,
  ) =>
    Object.entries<string>(namesOf(entity, alias, own)).map(
      ([field, sql]) => [field, columnOf(sql, field)] as const,
    );
  return new ColumnTable<Row, Ordered | Codes | Seconds | OrderedIn<Sql> | (keyof Orders & string)>(
    `${table} ${alias}`,
    fields.joins ?? '',
    Object.fromEntries([
      ...plain(fields.ordered, (sql, field) => ordered(sql, texts.has(field) ? alphabetical(sql) : sql)),
      ...plain(fields.codes, (sql) => ordered(sql, bytewise(sql))),
      ...plain(fields.shown, shown),
      ...plain(fields.seconds, (moment) => ordered(secondsOf(moment), moment)),
      ...Object.entries(fields.sql ?? {}),
    ]),
    fields.orders ?? {},
  );
}

/**
 * SQL for a list inside a record, as JSON. Its length is limited by the database, or otherwise by `most`.
 * `item` is the JSON object of an item, `from` the FROM and WHERE of the items.
 */
export const jsonList = (item: string, from: string, order: string, most?: number): string =>
  most === undefined
    ? `(SELECT coalesce(json_agg(${item} ORDER BY ${order}), '[]') ${from})`
    : `(SELECT coalesce(json_agg(listed.item), '[]')
        FROM (SELECT ${item} AS item ${from} ORDER BY ${order} LIMIT ${most}) listed)`;

/** A JSON object with exactly the fields of one type. */
export const jsonObject = <Value extends object>(fields: Readonly<Record<keyof Value, string>>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([field, expression]) => `'${field}', ${String(expression)}`)
    .join(', ')})`;

/** Fields with a text, a number or a boolean. */
type ScalarOf<Item> = {
  [Field in keyof Item]-?: NonNullable<Item[Field]> extends string | number | boolean ? Field : never;
}[keyof Item] &
  string;

/**
 * The columns or orders of scalar fields of a response, where those have another name. A field that no column
 * has the name of must stand here.
 */
export type Renames<Row, Item, Order extends string> = Readonly<
  Record<Exclude<ScalarOf<Item>, Order | keyof Row>, Order | keyof Row>
> &
  Readonly<Partial<Record<ScalarOf<Item>, Order | keyof Row>>>;

/** Fields that follow another one, in errors and documents. */
export type After<Item> = Readonly<Partial<Record<ScalarOf<Item>, ScalarOf<Item>>>>;

/**
 * The values of `orderBy` with their orders: the `@ResponseField` fields whose column has an order. Only the
 * columns decide that. The compiler requires each scalar field whose column has another name, so that none
 * is forgotten.
 */
export function orderBy<Row extends object, Order extends string, Item extends object>(
  columns: ColumnTable<Row, Order>,
  item: Type<Item>,
  renames: Renames<Row, Item, Order>,
  { after }: { readonly after?: After<Item> | undefined } = {},
): Readonly<Record<string, Order>> {
  const stated: Readonly<Partial<Record<string, string>>> = renames;
  const fields = responseFields(item);
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
