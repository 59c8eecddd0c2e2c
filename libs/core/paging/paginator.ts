import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { RowCursor } from '../database/row-cursor';
import { ConcurrencyLimiter } from '../concurrency/concurrency-limiter';
import { isPrepared, PreparedQueries, type BoundedRows, type Statement } from '../database/prepared-queries';
import type { Query } from './list-query';
import { longListsIn, longListsMade } from '../lists/long-list';
import { ALL_ROWS, EMPTY_PAGE, pageOf, type ListRequest, type Page, type RestOfPage } from './page';

/**
 * A row of a list statement. The statement asks for `limit + 1` rows. A list that answers its total selects it
 * in every row as `listTotal`, and gives one row with a null id when the page lies beyond the end.
 */
interface ListRow extends QueryResultRow {
  readonly id: number | null;
  readonly listTotal?: number;
}

type PageRequest = Pick<ListRequest<string>, 'limit' | 'offset' | 'selectsNothing' | 'streamed' | 'reader'>;

/** Where a page ends, whatever its limit: as JSON its rows are about as long (decisions.md section 11). */
const MAX_PAGE_BYTES = 2_000_000;

/**
 * Longest page that counts as small: it is read at once whoever asks, and as a whole even where the answer is streamed.
 */
const MAX_SMALL_PAGE = 100;

/**
 * Larger pages that are read at once, by all and by one user: each holds some ten MB until it is written, and a
 * connection of the pool. More wait for so many milliseconds, and so many of them.
 */
const MAX_LARGE_PAGES = 4;
const MAX_LARGE_PAGES_OF_USER = 1;
const MAX_WAITING_PAGES = 100;
const MAX_WAITING_PAGES_OF_USER = 40;
const MAX_PAGE_WAIT = 5000;

/** Reads the pages of every list: one query each, whatever the page size. */
@Injectable()
export class Paginator {
  private readonly largePages = new ConcurrencyLimiter({
    limit: MAX_LARGE_PAGES,
    maxWaiting: MAX_WAITING_PAGES,
    maxWaitMs: MAX_PAGE_WAIT,
  });

  constructor(private readonly queries: PreparedQueries) {}

  async page<Row extends object, Item = Row>(
    request: PageRequest,
    query: Query<Row>,
    itemOf: (row: Row) => Item = (row) => row as unknown as Item,
  ): Promise<Page<Item>> {
    if (request.selectsNothing) return EMPTY_PAGE;
    const itemsOf = (rows: readonly ListRow[]): Item[] =>
      rows.filter((row) => row.id !== null).map((row) => itemOf(row as unknown as Row));
    if (request.streamed === true && request.limit > MAX_SMALL_PAGE) {
      return this.streamedPage(request, query, itemsOf);
    }
    const { rows, isCut } = await this.rowsOf(request, query);
    const total = rows[0]?.listTotal;
    const longBefore = longListsMade();
    const read = itemsOf(rows);
    const items = longListsMade() === longBefore ? read : await withinPage(read);
    const isShort = isCut || items.length < read.length;
    if (!isShort || items.length >= request.limit) return pageOf(items, request, total);
    return { ...pageOf(items, request, total), nextOffset: request.offset + items.length };
  }

  private async rowsOf(request: PageRequest, query: Query<object>): Promise<BoundedRows<ListRow>> {
    const statement: Statement = query.statement;
    if (query.isQuick === true && isPrepared(statement)) {
      return { rows: await this.queries.quickRows<ListRow>(statement, query.values), isCut: false };
    }
    const read = () => this.queries.rowsWithin<ListRow>(MAX_PAGE_BYTES, statement, query.values);
    if (request.limit <= MAX_SMALL_PAGE) return read();
    const key = `user:${request.reader}`;
    const share = { key, maxRunning: MAX_LARGE_PAGES_OF_USER, maxPlaces: MAX_WAITING_PAGES_OF_USER };
    return this.largePages.run(read, { turns: [key], shares: [share] });
  }

  private async streamedPage<Item>(
    request: PageRequest,
    query: Query<object>,
    itemsOf: (rows: readonly ListRow[]) => Item[],
  ): Promise<Page<Item>> {
    const cursor = await this.queries.cursor<ListRow>(query.statement, query.values, {
      // All rows are read: what gives the first ones soonest may look through a table for each row of another.
      aim: 'all-rows',
      ...(request.reader !== undefined && { reader: request.reader }),
    });
    try {
      const rows = await cursor.next();
      const items = itemsOf(rows);
      const total = rows[0]?.listTotal;
      if (cursor.isAtEnd) {
        await cursor.close();
        return pageOf(items, request, total);
      }
      // The Link header goes out before the rows, so that whether some remain must be known by now.
      const hasMore =
        request.limit < ALL_ROWS &&
        (total === undefined
          ? await cursor.hasMoreThan(request.limit)
          : request.offset + request.limit < total);
      return {
        items,
        ...(total !== undefined && { total }),
        ...(hasMore && { nextOffset: request.offset + request.limit }),
        rest: restOfPage(cursor, request.limit - rows.length, itemsOf),
      };
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }
}

/** The first items, one at least, whose long lists end the page no later than short ones would. */
async function withinPage<Item>(items: readonly Item[]): Promise<readonly Item[]> {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    for (const list of longListsIn(item)) bytes += await list.bytesBeyond();
    if (bytes > MAX_PAGE_BYTES) return items.slice(0, Math.max(1, index));
  }
  return items;
}

/** What the cursor still gives, cut to `count` rows. */
function restOfPage<Item>(
  cursor: RowCursor<ListRow>,
  count: number,
  itemsOf: (rows: readonly ListRow[]) => Item[],
): RestOfPage<Item> {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        let left = count;
        while (!cursor.isAtEnd && left > 0) {
          const rows = await cursor.next();
          yield itemsOf(rows.slice(0, left));
          left -= rows.length;
        }
      } finally {
        await cursor.close();
      }
    },
    close: () => cursor.close(),
  };
}
