import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { ApiKeyOrder } from './api-key.values';

const COLUMN_OF: Readonly<Record<ApiKeyOrder, string>> = { id: 'id', name: 'name', expiresAt: 'expires_at' };

/** A page of the API keys of a user, expired ones included, with the total; one row with a null id beyond the end. */
export function apiKeyPage(userId: number, request: ListRequest<ApiKeyOrder>): Query {
  const values: unknown[] = [userId, request.limit + 1, request.offset];
  const direction = request.descending ? 'DESC' : 'ASC';
  let selected = 'api_keys WHERE user_id = $1';
  if (request.filter !== undefined) {
    selected += ' AND lower(name) LIKE lower($4)';
    values.push(substringPattern(request.filter));
  }
  const order = `${COLUMN_OF[request.orderBy]} ${direction}, id ${direction}`;
  return {
    statement: prepared(`
      SELECT counted.total AS "listTotal", page.id, page.name, page.whitelist,
        floor(extract(epoch FROM page.expires_at))::float8 AS "expiresAt"
      FROM (SELECT count(*)::integer AS total FROM ${selected}) counted
      LEFT JOIN (
        SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM ${selected}
        ORDER BY ${order} LIMIT $2 OFFSET $3
      ) page ON true
      ORDER BY page.place`),
    values,
  };
}
