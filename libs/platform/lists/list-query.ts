import { searchedForms } from '@app/formats/email-domains';
import { byKey, prepared } from '../database/pg-reads/database-reads';
import type { Statement } from '../database/pg-reads/statement';
import type { ColumnTable } from './columns';
import type { ListRequest, PageQuery } from './paginator';

/** The LIKE pattern that finds the text as a substring. `%`, `_` and `\` are ordinary characters. */
export const substringPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

export const directionOf = ({ descending }: Pick<ListRequest<string>, 'descending'>): 'ASC' | 'DESC' =>
  descending ? 'DESC' : 'ASC';

/** The condition that one of the conditions holds. */
export const anyOf = (conditions: readonly string[]): string =>
  conditions.length > 1 ? `(${conditions.join(' OR ')})` : conditions.join();

export class SqlParameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[] = []) {
    this.values = [...first];
  }

  /**
   * Adds a value and returns its placeholder. PostgreSQL refuses parameters that a statement does not use.
   */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The condition that one of the texts contains a value. All are in the form of `search_form`. */
  contains(value: string, ...texts: readonly string[]): string {
    return anyOf(
      searchedForms(value).flatMap((form) => {
        const pattern = this.add(substringPattern(form));
        return texts.map((text) => `${text} LIKE search_form(${pattern})`);
      }),
    );
  }
}

type Extent = Pick<ListRequest<string>, 'limit' | 'offset' | 'mode'>;

/**
 * LIMIT and OFFSET of a page, with one row more, which shows whether others follow. A default page has the
 * numbers in its text, so that PostgreSQL plans for five rows.
 */
export function extentOf({ limit, offset, mode }: Extent, parameters: SqlParameters): string {
  if (mode === 'default-page') return `LIMIT ${limit + 1} OFFSET ${offset}`;
  return `LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(offset)}`;
}

/** What a page costs. */
interface PageCost {
  /** Whether a default page is quick for any data, as no row collects a long list: it is read by key. */
  readonly isQuick: boolean;
}

/**
 * The statement of a page. Its text depends on which parameters a request has. That makes thousands of texts,
 * so only default pages are prepared, a few for each list: planning takes longer than reading five rows.
 */
export function pageStatement<Row>(
  text: string,
  { mode }: Pick<Extent, 'mode'>,
  { isQuick }: PageCost = { isQuick: false },
): Statement<Row> {
  if (mode !== 'default-page') return { text };
  return isQuick ? byKey(text) : prepared(text);
}

export class ListQuery<Row extends object, Order extends string> {
  private readonly parameters: SqlParameters;
  private readonly conditions: string[] = [];

  /** @param own the values of $1, $2 and so on in columns and conditions */
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

  /** Only rows with the request's filter in one of the texts. */
  filteredBy(...texts: readonly string[]): this {
    return this.filteredByForm(...texts.map((text) => `search_form(${text})`));
  }

  /** Only rows with the request's filter in one of the texts, which are in the form of a search. */
  filteredByForm(...texts: readonly string[]): this {
    const { filter } = this.request;
    return filter === undefined ? this : this.where(this.parameters.contains(filter, ...texts));
  }

  page(): PageQuery<Row> {
    const { selected, from, joins } = this.columns;
    return this.readByKey(`SELECT ${selected} FROM ${from} ${joins} ${this.selection} ${this.limits}`);
  }

  /** Selects the page first, because one SELECT would also collect the details of skipped rows. */
  pickedFirst(): PageQuery<Row> {
    const { selected, from, joins, alias } = this.columns;
    return this.query(`
      SELECT ${selected}
      FROM (SELECT ${alias}.id FROM ${from} ${this.selection} ${this.limits}) picked
      JOIN ${from} ON ${alias}.id = picked.id ${joins}
      ${this.order}`);
  }

  /**
   * Adds the total of the list to every row. Only for short lists, because it
   * collects all rows to count them.
   */
  withTotal(): PageQuery<Row> {
    const { selected, from, joins, alias } = this.columns;
    return this.readByKey(`
      WITH matching AS (SELECT ${alias}.* FROM ${from} ${this.selection}),
      page AS (SELECT ${alias}.* FROM matching ${alias} ${this.limits})
      SELECT counted.total AS "listTotal", ${selected}
      FROM (SELECT count(*)::integer AS total FROM matching) counted LEFT JOIN page ${alias} ON true ${joins}
      ${this.order}`);
  }

  private get selection(): string {
    return `WHERE ${this.conditions.join(' AND ')}`;
  }

  /** Rows with equal keys are ordered by id, so that each row is on exactly one page. */
  private get order(): string {
    const direction = directionOf(this.request);
    const byId = `${this.columns.alias}.id ${direction}`;
    const { orderBy } = this.request;
    return `ORDER BY ${orderBy === 'id' ? '' : `${this.columns.orderOf(orderBy)} ${direction}, `}${byId}`;
  }

  private get limits(): string {
    return `${this.order} ${extentOf(this.request, this.parameters)}`;
  }

  private readByKey(text: string): PageQuery<Row> {
    return this.query(text, { isQuick: true });
  }

  private query(text: string, cost?: PageCost): PageQuery<Row> {
    const named = `${this.columns.nameOf('list')} ${text}`;
    return { statement: pageStatement(named, this.request, cost), values: this.parameters.values };
  }
}
