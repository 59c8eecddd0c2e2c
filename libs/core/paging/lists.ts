import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { ROWS_PER_FETCH, type RowCursor } from '../database/row-cursor';
import { Sql, type PreparedStatement } from '../database/sql';
import { EMPTY_PAGE, pageOf, type ListRequest, type Page, type RestOfPage } from './page';

/** A statement with the values of its parameters. */
export interface Query {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
}

/**
 * A row of a list statement. The statement asks for `limit + 1` rows. A list that answers its total selects it
 * in every row as `listTotal`, and gives one row with a null id when the page lies beyond the end.
 */
interface ListRow extends QueryResultRow {
  readonly id: number | null;
  readonly listTotal?: number;
}

type PageRequest = Pick<ListRequest<string>, 'limit' | 'offset' | 'selectsNothing' | 'streamed'>;

/** Longest page that is read as a whole even where the answer is streamed: it needs no connection of its own. */
const LONGEST_WHOLE_PAGE = 1000;

/** Reads the pages of every list: one query each, whatever the page size. */
@Injectable()
export class Lists {
  constructor(private readonly sql: Sql) {}

  async page<Row extends object, Item = Row>(
    request: PageRequest,
    query: Query,
    itemOf: (row: Row) => Item = (row) => row as unknown as Item,
  ): Promise<Page<Item>> {
    if (request.selectsNothing) return EMPTY_PAGE;
    const itemsOf = (rows: readonly ListRow[]): Item[] =>
      rows.filter((row) => row.id !== null).map((row) => itemOf(row as unknown as Row));
    if (request.streamed === true && request.limit > LONGEST_WHOLE_PAGE) {
      return this.streamedPage(request, query, itemsOf);
    }
    const rows = await this.sql.rows<ListRow>(query.statement, query.values);
    return pageOf(itemsOf(rows), request, rows[0]?.listTotal);
  }

  private async streamedPage<Item>(
    request: PageRequest,
    query: Query,
    itemsOf: (rows: readonly ListRow[]) => Item[],
  ): Promise<Page<Item>> {
    const cursor = await this.sql.cursor<ListRow>(query.statement, query.values);
    try {
      const rows = await cursor.next();
      const items = itemsOf(rows);
      const total = rows[0]?.listTotal;
      if (rows.length < ROWS_PER_FETCH) {
        await cursor.close();
        return pageOf(items, request, total);
      }
      // The Link header goes out before the rows, so that whether some remain must be known by now.
      const hasMore =
        total === undefined
          ? await cursor.hasMoreThan(request.limit)
          : request.offset + request.limit < total;
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
        for (let more = true; more && left > 0;) {
          const rows = await cursor.next();
          more = rows.length === ROWS_PER_FETCH;
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
