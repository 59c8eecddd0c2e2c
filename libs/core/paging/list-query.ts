import { prepared, type PreparedStatement, type Read } from '../database/prepared-queries';
import type { ColumnTable } from './column-table';
import type { ListRequest } from './page';

/** A statement with the values of its parameters. */
export interface Query<Row extends object> {
  readonly statement: Read<Row>;
  readonly values: readonly unknown[];
  /** Whether a plain page of it is read quickly whatever the data: no row gathers much of what belongs to it. */
  readonly isQuick?: boolean;
}

/** The LIKE pattern that finds the text as a substring: `%`, `_` and `\` are ordinary characters in it. */
export const substringPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** ASC or DESC, as SQL writes it. */
export const directionOf = ({ descending }: Pick<ListRequest<string>, 'descending'>): 'ASC' | 'DESC' =>
  descending ? 'DESC' : 'ASC';

/** The parameters of a statement that is being put together. */
export class Parameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[] = []) {
    this.values = [...first];
  }

  /** The place of a value in the statement. PostgreSQL refuses parameters that a statement does not use. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Whether one of the lower-case texts contains a value, whose case does not matter. */
  contains(value: string, ...texts: readonly string[]): string {
    const pattern = this.add(substringPattern(value));
    const found = texts.map((text) => `${text} LIKE lower(${pattern})`).join(' OR ');
    return texts.length > 1 ? `(${found})` : found;
  }
}

/** The part of a request that decides how long its page is. */
type Extent = Pick<ListRequest<string>, 'limit' | 'offset' | 'isPlain'>;

/**
 * How many rows a page skips and has, and the one that tells whether some remain. Of a plain page PostgreSQL is told the
 * numbers with the text: it plans for five rows then, not for any number of them.
 */
export function extentOf({ limit, offset, isPlain }: Extent, parameters: Parameters): string {
  if (isPlain === true) return `LIMIT ${limit + 1} OFFSET ${offset}`;
  return `LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(offset)}`;
}

const plainStatements = new Map<string, PreparedStatement>();

/**
 * The statement of a page. Its text follows from what is asked for, never from a value. Such texts are thousands, so that
 * only those of plain pages have names, one or a few for each list: their planning would take longer than their work.
 */
export function pageStatement<Row>(text: string, { isPlain }: Pick<Extent, 'isPlain'>): Read<Row> {
  if (isPlain !== true) return { text };
  const known = plainStatements.get(text) ?? prepared(text);
  plainStatements.set(text, known);
  return known;
}

/** The statement of one page of a list. Every form asks for a row more than the page, which tells that some remain. */
export class ListQuery<Row extends object, Order extends string> {
  private readonly parameters: Parameters;
  private readonly conditions: string[] = [];

  /** `own` are the values that columns and conditions name as $1, $2 and so on. */
  constructor(
    private readonly columns: ColumnTable<Row, Order>,
    private readonly request: Omit<ListRequest<Order>, 'search'>,
    own: readonly unknown[] = [],
  ) {
    this.parameters = new Parameters(own);
  }

  /** Only rows whose column has the value; undefined: of any value. */
  with(column: string, value: unknown): this {
    return value === undefined ? this : this.where(`${column} = ${this.parameters.add(value)}`);
  }

  /** Only rows of which one column or another has the value. */
  withEither(columns: readonly [string, string], value: unknown): this {
    const parameter = this.parameters.add(value);
    return this.where(`(${columns[0]} = ${parameter} OR ${columns[1]} = ${parameter})`);
  }

  where(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  /** The lower-case texts of which one contains the request's filter. */
  filteredBy(...texts: readonly string[]): this {
    const { filter } = this.request;
    return filter === undefined ? this : this.where(this.parameters.contains(filter, ...texts));
  }

  /** One plain SELECT. */
  page(): Query<Row> {
    const { selected, from, joins } = this.columns;
    return this.quick(`SELECT ${selected} FROM ${from} ${joins} ${this.selection} ${this.limits}`);
  }

  /** The page is picked first: details in the same SELECT would be gathered for the skipped rows too. */
  pickedFirst(): Query<Row> {
    const { selected, from, joins, alias } = this.columns;
    return this.query(`
      SELECT ${selected}
      FROM (SELECT ${alias}.id FROM ${from} ${this.selection} ${this.limits}) picked
      JOIN ${from} ON ${alias}.id = picked.id ${joins}
      ${this.order}`);
  }

  /**
   * Every row carries the total of the list as `listTotal`; a page beyond the end is one row whose id is null. For
   * lists that are short as a whole: all rows are collected to be counted.
   */
  withTotal(): Query<Row> {
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

  /** By id within equal keys, so that no row is on two pages or on none. */
  private get order(): string {
    const direction = directionOf(this.request);
    const byId = `${this.columns.alias}.id ${direction}`;
    const { orderBy } = this.request;
    return `ORDER BY ${orderBy === 'id' ? '' : `${this.columns.orderOf(orderBy)} ${direction}, `}${byId}`;
  }

  private get limits(): string {
    return `${this.order} ${extentOf(this.request, this.parameters)}`;
  }

  private quick(text: string): Query<Row> {
    return { ...this.query(text), isQuick: true };
  }

  private query(text: string): Query<Row> {
    return { statement: pageStatement(text, this.request), values: this.parameters.values };
  }
}
