import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { type Bulkhead, HEAVY } from '../concurrency/bulkhead';
import { Bulkheads } from '../concurrency/bulkheads';
import type { Client, FairLimiter } from '../concurrency/fair-limiter';
import type { ReadingPace } from '../concurrency/reading-pace';
import {
  type ByteLimitedRows,
  DatabaseReads,
  isByKey,
  isPrepared,
} from '../database/pg-reads/database-reads';
import type { RowCursor } from '../database/pg-reads/row-cursor';
import type { Statement } from '../database/pg-reads/statement';

/** The items after the first ones of a page, read in batches while the response is written. */
export interface RestOfPage<Item> extends AsyncIterable<readonly Item[]> {
  /** Of the client, for which the response is measured. */
  readonly pace: ReadingPace;
  /** Returns the connection before the end. */
  close(): Promise<void>;
}

/** One page of a list, with the data for the `Link` header and `total` of the response. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Only for lists that show it. */
  readonly total?: number;
  /** Offset of the next page; undefined on the last page. */
  readonly nextOffset?: number;
  /** The items after `items`, if the page of a streamed response is too large for memory. */
  readonly rest?: RestOfPage<Item>;
  /** The reader sees no restricted field of any item, so csv has no columns for them. */
  readonly isReduced?: boolean;
}

/** The limit of a request for a whole list: more rows than any table has. */
export const ALL_ROWS = 2_147_483_647;

/**
 * `default-page`: the first page with default limit and order and no filter, as most requests ask for; its
 * statement is prepared. `stream`: csv, of which a long page is read in batches. `nothing`: the request has a
 * `tag`, and nothing here has tags.
 */
type ListMode = 'default-page' | 'page' | 'stream' | 'nothing';

/** A list request in the names of the domain. */
export interface ListRequest<Order extends string, Search extends string = never> {
  /** Maximum items of the page: `LIST_LIMIT_MAX`, or more for a streamed response. */
  readonly limit: number;
  readonly offset: number;
  readonly orderBy: Order;
  readonly descending: boolean;
  /** Case-insensitive substring of the item's own texts. */
  readonly filter: string | undefined;
  /** Case-insensitive substrings of single fields. */
  readonly search: Readonly<Partial<Record<Search, string>>>;
  readonly mode: ListMode;
  /** The client of the request: clients share queues and permits fairly. */
  readonly reader?: Client;
}

export const EMPTY_PAGE: Page<never> = { items: [], total: 0 };

/**
 * Cuts rows that were read with `limit + 1` to the page. The extra row shows that others
 * follow; a count would cost more.
 */
function pageOf<Item>(
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

/**
 * A row of a list statement, which reads `limit + 1` rows. A list with a total repeats it in every row; for a
 * page beyond the end it returns one row with a null id.
 */
interface ListRow extends QueryResultRow {
  readonly id: number | null;
  readonly listTotal?: number;
}

type PageRequest = Pick<ListRequest<string>, 'limit' | 'offset' | 'mode' | 'reader'>;

/** Bytes at which a page ends, even before its limit. Its JSON is about as long (rule requests 60). */
const MAX_PAGE_BYTES = 2_000_000;

/**
 * Maximum items of a small page. It takes little memory, so it is read as a whole
 * even for a streamed response.
 */
const MAX_SMALL_PAGE = 100;

/**
 * A filter or an order may take PostgreSQL long, and the request does not show this in advance. Lists wait
 * long, because refused clients ask again at once, which takes processor time from the work.
 */
const SMALL_PAGES: Bulkhead = {
  name: 'small_pages',
  work: `Pages of at most ${MAX_SMALL_PAGE} items, but the first one without a filter or an order`,
  permits: { ofPool: 0.3 },
  queue: { maxWaiting: 2000, maxWaitMs: 5000 },
};

/** Takes some ten MB until its response is written, and a connection. */
const LARGE_PAGES: Bulkhead = {
  name: 'large_pages',
  work: `Pages of more than ${MAX_SMALL_PAGE} items`,
  permits: 4,
  queue: HEAVY,
};

/** Takes up to a hundred MB, and a connection. */
const LARGE_RECORDS: Bulkhead = {
  name: 'large_records',
  work: 'Records with long lists in them',
  permits: 1,
  queue: HEAVY,
};

/** Reads each page of a list with one statement, for pages of any size. */
@Injectable()
export class Paginator {
  private readonly smallPages: FairLimiter;
  private readonly largePages: FairLimiter;
  private readonly largeRecords: FairLimiter;

  constructor(
    private readonly queries: DatabaseReads,
    bulkheads: Bulkheads,
  ) {
    this.smallPages = bulkheads.open(SMALL_PAGES);
    this.largePages = bulkheads.open(LARGE_PAGES);
    this.largeRecords = bulkheads.open(LARGE_RECORDS);
  }

  async page<Row extends object, Item = Row>(
    request: PageRequest,
    query: PageQuery<Row>,
    itemOf: (row: Row) => Item = (row) => row as unknown as Item,
  ): Promise<Page<Item>> {
    if (request.mode === 'nothing') return EMPTY_PAGE;
    const list = query as PageQuery<object> as PageQuery<ListRow>;
    const itemsOf = (rows: readonly ListRow[]): Item[] =>
      rows.filter((row) => row.id !== null).map((row) => itemOf(row as unknown as Row));
    if (request.mode === 'stream' && request.limit > MAX_SMALL_PAGE) {
      return this.streamedPage(request, list, itemsOf);
    }
    const { rows, isCut } = await this.rowsOf(request, list);
    const page = pageOf(itemsOf(rows), request, rows[0]?.listTotal);
    const { length } = page.items;
    return isCut && length < request.limit ? { ...page, nextOffset: request.offset + length } : page;
  }

  private async rowsOf(
    request: PageRequest,
    { statement, values }: PageQuery<ListRow>,
  ): Promise<ByteLimitedRows<ListRow>> {
    if (isByKey(statement)) return { rows: await this.queries.rows(statement, values), isCut: false };
    // The statement reads one row more than the page has.
    const read = () => this.queries.rowsWithin(MAX_PAGE_BYTES, request.limit + 1, statement, values);
    if (isPrepared(statement)) return read();
    return request.limit <= MAX_SMALL_PAGE
      ? this.withListPermit(request.reader, read)
      : this.largePages.run(request.reader, read);
  }

  /**
   * Runs a read that returns few rows but may take PostgreSQL long. Throws TooBusy beyond the reader's quota.
   */
  withListPermit<Result>(reader: Client, read: () => Promise<Result>): Promise<Result> {
    return this.smallPages.run(reader, read);
  }

  /** Reads records with long lists once a permit is free. Throws TooBusy after too long a wait. */
  withLargeRecordPermit<Result>(reader: Client, read: () => Promise<Result>): Promise<Result> {
    return this.largeRecords.run(reader, read);
  }

  private async streamedPage<Item>(
    request: PageRequest,
    query: PageQuery<ListRow>,
    itemsOf: (rows: readonly ListRow[]) => Item[],
  ): Promise<Page<Item>> {
    const cursor = await this.queries.cursor<ListRow>(query.statement, query.values, request.reader);
    try {
      const rows = await cursor.next();
      const page = pageOf(itemsOf(rows), request, rows[0]?.listTotal);
      if (cursor.isAtEnd) {
        await cursor.close();
        return page;
      }
      const end = request.offset + request.limit;
      // The Link header is sent before the rows, so it must be known now whether others follow.
      const hasMore =
        request.limit < ALL_ROWS &&
        (page.total === undefined ? await cursor.hasMoreThan(request.limit) : end < page.total);
      return {
        ...page,
        ...(hasMore && { nextOffset: end }),
        rest: restOfPage(cursor, request.limit - rows.length, itemsOf),
      };
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }
}

function restOfPage<Item>(
  cursor: RowCursor<ListRow>,
  count: number,
  itemsOf: (rows: readonly ListRow[]) => Item[],
): RestOfPage<Item> {
  return {
    async *[Symbol.asyncIterator]() {
      let left = count;
      for await (const rows of cursor) {
        yield itemsOf(rows.slice(0, left));
        left -= rows.length;
        if (left <= 0) return;
      }
    },
    pace: cursor.pace,
    close: () => cursor.close(),
  };
}

export interface PageQuery<Row extends object> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}
