/** What follows the first items of a page, read in batches as the answer is written. */
export interface RestOfPage<Item> extends AsyncIterable<readonly Item[]> {
  /** Ends the reading; iterating to the end or out of the loop does so too. */
  close(): Promise<void>;
}

/** One page of a list, with what the answer's `Link` header and `total` need. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many items the whole list has; only lists that answer it compute it. */
  readonly total?: number;
  /** Offset of the first item after this page; undefined when nothing remains. */
  readonly nextOffset?: number;
  /** The items after `items`, where the answer is streamed and the page too long to be held in memory. */
  readonly rest?: RestOfPage<Item>;
}

/** The limit of a list that is asked for as a whole: more rows than any table has. */
export const ALL_ROWS = 2_147_483_647;

/** What a list request asks for, in the domain's own names. */
export interface ListRequest<Order extends string, Search extends string = never> {
  /** Most items of the page, already within `LIST_LIMIT_MAX` where the answer is not streamed. */
  readonly limit: number;
  readonly offset: number;
  readonly orderBy: Order;
  readonly descending: boolean;
  /** Case-insensitive substring of the item's own texts. */
  readonly filter: string | undefined;
  /** Case-insensitive substrings of single fields. */
  readonly search: Readonly<Partial<Record<Search, string>>>;
  /** The request can select nothing (a `tag`, since nothing in the account area carries tags). */
  readonly selectsNothing: boolean;
  /** The answer is written bit by bit (csv): a long page need not be read as a whole. */
  readonly streamed?: boolean;
  /** The first page in the length and order that nobody has to ask for, of all items: what most requests want. */
  readonly isPlain?: boolean;
  /** The id of the user who asks: what waits and runs is shared out between users. */
  readonly reader?: number;
}

/** The page of a list that selects nothing. */
export const EMPTY_PAGE: Page<never> = { items: [], total: 0 };

/**
 * Cuts rows fetched with `limit + 1` to the page: the row too many only tells that some remain, which is
 * cheaper than counting.
 */
export function pageOf<Item>(
  rows: readonly Item[],
  request: Pick<ListRequest<string>, 'limit' | 'offset'>,
  total?: number,
): Page<Item> {
  const hasMore = rows.length > request.limit;
  return {
    items: hasMore ? rows.slice(0, request.limit) : rows,
    ...(total !== undefined && { total }),
    ...(hasMore && { nextOffset: request.offset + request.limit }),
  };
}
