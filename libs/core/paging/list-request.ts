import { ValidationFailed } from '../errors/api-error';
import { isStorableText, MAX_INTEGER } from '../wire/fields';
import type { ListShape } from '../wire/shapes';
import type { ListRequest } from './page';

/** Page size when the request names none (interface description, "Limits"). */
export const DEFAULT_LIMIT = 5;

/** Longest text that a filter or search parameter may hold: nothing stored that they look at is longer. */
const LONGEST_SEARCH = 1000;

type Query = Readonly<Record<string, unknown>>;

/**
 * Reads the list conventions from a query string. An empty parameter counts as absent; parameters that the
 * list does not have are ignored. Throws {@link ValidationFailed} naming every bad parameter.
 */
export function readListRequest<Order extends string, Search extends string>(
  shape: Pick<ListShape<never, Order, Search>, 'orderBy' | 'search' | 'tag'>,
  query: Query,
  limitMax: number,
): ListRequest<Order, Search> {
  const faults: Record<string, string[]> = {};
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') faults[name] = ['This parameter should be given once.'];
    else if (!isStorableText(value))
      faults[name] = ['This value contains a character that can not be stored.'];
    else if (value.length > LONGEST_SEARCH) faults[name] = ['This value is too long.'];
    else return value;
    return undefined;
  };
  const count = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_INTEGER);
    faults[name] = ['This value should be 0 or a positive integer.'];
    return undefined;
  };

  const limit = count('limit') ?? DEFAULT_LIMIT;
  const offset = count('offset') ?? 0;
  const orderByField = text('orderBy') ?? 'id';
  const orderBy = Object.hasOwn(shape.orderBy, orderByField) ? shape.orderBy[orderByField] : undefined;
  if (orderBy === undefined) {
    faults['orderBy'] = [`This value should be one of ${Object.keys(shape.orderBy).join(', ')}.`];
  }
  const orderType = (text('orderType') ?? 'ASC').toUpperCase();
  if (orderType !== 'ASC' && orderType !== 'DESC')
    faults['orderType'] = ['This value should be ASC or DESC.'];
  const search: Partial<Record<Search, string>> = {};
  for (const [parameter, name] of Object.entries<Search>(shape.search)) {
    const value = text(parameter);
    if (value !== undefined) search[name] = value;
  }
  const filter = text('filter');
  const tag = shape.tag ? text('tag') : undefined;
  if (orderBy === undefined || Object.keys(faults).length > 0) {
    throw new ValidationFailed(faults);
  }
  return {
    limit: limit === 0 ? limitMax : Math.min(limit, limitMax),
    offset,
    orderBy,
    descending: orderType === 'DESC',
    filter,
    search,
    selectsNothing: tag !== undefined,
  };
}

/** The LIKE pattern that finds the text as a substring: `%`, `_` and `\` are ordinary characters in it. */
export const substringPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
