import type { Type } from '@nestjs/common';
import { MAX_INTEGER } from '../dto/coercion';
import type { FieldDescription } from '../dto/described-fields';
import { isStorableText, NOT_STORABLE } from '../dto/field.decorators';
import { type ResponseShape, wrapperOf } from '../dto/shapes';
import { type FieldError, fieldError, ValidationFailed } from '../errors/api-error';
import { type After, type ColumnTable, orderBy, type Renames } from './columns';
import { formatFault } from './csv-response';
import { ALL_ROWS, type ListRequest, type Page } from './paginator';

/** List parameters that only one variant has. */
export abstract class ListConventions {
  abstract readonly tag: boolean;
}

/** Page size when the request names none (interface description, "Limits"). */
export const DEFAULT_LIMIT = 5;

/** Maximum length of a filter or search parameter: the length of the longest searched text. */
const MAX_SEARCH_LENGTH = 1000;

const GIVEN_TWICE = fieldError('GIVEN_TWICE', 'This parameter should be given once.');
const TOO_LONG = fieldError('TOO_LONG', 'This value is too long.');
export const NO_COUNT = fieldError('INVALID', 'This value should be 0 or a positive integer.');
const NO_DIRECTION = fieldError('NOT_A_CHOICE', 'This value should be ASC or DESC.');
const oneOf = (names: string): FieldError =>
  fieldError('NOT_A_CHOICE', `This value should be one of ${names}.`);

interface ListOptions extends ListConventions {
  /** `LIST_LIMIT_MAX`: maximum items of a response that is not streamed. */
  readonly limitMax: number;
  /** The response is streamed (csv): without a limit it has all rows. */
  readonly streamed?: boolean;
}

/**
 * Reads the list parameters of a query string. An empty parameter counts as absent; unknown parameters are
 * ignored. Throws {@link ValidationFailed} with every bad parameter.
 */
export function readListRequest<Order extends string, Search extends string>(
  shape: Pick<ListShape<never, Order, Search>, 'orderBy' | 'search'>,
  query: Readonly<Record<string, unknown>>,
  { tag: takesTag, limitMax, streamed = false }: ListOptions,
): ListRequest<Order, Search> {
  const errors: Record<string, readonly FieldError[]> = {};
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') errors[name] = [GIVEN_TWICE];
    else if (!isStorableText(value)) errors[name] = [NOT_STORABLE];
    else if (value.length > MAX_SEARCH_LENGTH) errors[name] = [TOO_LONG];
    else return value;
    return undefined;
  };
  const count = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_INTEGER);
    errors[name] = [NO_COUNT];
    return undefined;
  };

  const limit = count('limit') ?? (streamed ? 0 : DEFAULT_LIMIT);
  const most = streamed ? ALL_ROWS : limitMax;
  const offset = count('offset') ?? 0;
  const orderByField = text('orderBy') ?? 'id';
  const orderBy = Object.hasOwn(shape.orderBy, orderByField) ? shape.orderBy[orderByField] : undefined;
  if (orderBy === undefined) errors['orderBy'] = [oneOf(Object.keys(shape.orderBy).join(', '))];
  const orderType = (text('orderType') ?? 'ASC').toUpperCase();
  if (orderType !== 'ASC' && orderType !== 'DESC') errors['orderType'] = [NO_DIRECTION];
  const search: Partial<Record<Search, string>> = {};
  for (const [parameter, name] of Object.entries<Search>(shape.search)) {
    const value = text(parameter);
    if (value !== undefined) search[name] = value;
  }
  const filter = text('filter');
  const tag = takesTag ? text('tag') : undefined;
  const format = formatFault(query);
  if (format !== undefined) errors['format'] = [format];
  if (orderBy === undefined || Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  const isDefault =
    limit === DEFAULT_LIMIT &&
    offset === 0 &&
    orderByField === 'id' &&
    orderType === 'ASC' &&
    filter === undefined &&
    Object.keys(search).length === 0;
  const mode = streamed ? 'stream' : isDefault ? 'default-page' : 'page';
  return {
    limit: limit === 0 ? most : Math.min(limit, most),
    offset,
    orderBy,
    descending: orderType === 'DESC',
    filter,
    search,
    mode: tag === undefined ? mode : 'nothing',
  };
}

/** Reads the requests of a list in the running variant, and writes its responses. */
export interface ListShape<Item, Order extends string, Search extends string = never> extends ResponseShape<
  Page<Item>
> {
  /** The values of `orderBy`, scalar fields of the item, with the domain's names. */
  readonly orderBy: Readonly<Record<string, Order>>;
  /** Search parameters with the domain's names. They match substrings, except those of `exact`. */
  readonly search: Readonly<Record<string, Search>>;
  /** Descriptions of the parameters that match exactly. */
  readonly exact?: Readonly<Record<string, string>>;
}

interface ListWords<Row, Item, Order extends string, Search extends string> {
  /** The columns or orders of fields where those have another name. */
  readonly orders: Renames<Row, Item, Order>;
  readonly after?: After<Item>;
  readonly search?: Readonly<Record<string, Search>>;
  readonly exact?: Readonly<Record<string, string>>;
  /** Names the class of the response in the interface description. */
  readonly as?: string;
  readonly description?: string;
  /** Describes the total. Without it, the response has no total. */
  readonly total?: string | FieldDescription;
}

/** The response of a list of records, under a name. */
export function listOf<
  Row extends object,
  Order extends string,
  Item extends object,
  Value = Row,
  Search extends string = never,
>(
  name: string,
  columns: ColumnTable<Row, Order>,
  item: Type<Item>,
  toItem: (value: Value) => Item,
  words: ListWords<Row, Item, Order, Search>,
): ListShape<Value, Order, Search> {
  const { orders, after, search = {}, exact, total, description = `The ${name} of the page` } = words;
  const body = wrapperOf(words.as ?? `${item.name.replace(/Response$/, '')}ListResponse`, {
    ...(total !== undefined && {
      total: typeof total === 'string' ? { type: 'integer', description: total } : total,
    }),
    [name]: { type: [item], description },
  });
  return {
    body,
    orderBy: orderBy(columns, item, orders, { after }),
    search,
    ...(exact !== undefined && { exact }),
    toResponse: (page) => ({
      ...(total !== undefined && { total: page.total ?? page.items.length }),
      [name]: page.items.map(toItem),
    }),
  };
}
