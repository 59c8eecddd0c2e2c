import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { Token2faOrder } from './token2fa.values';

const COLUMNS = `d.id, d.country, d.address, d.os, d.browser, d.user_agent AS "userAgent",
    floor(extract(epoch FROM d.created_at))::float8 AS "createdAt",
    floor(extract(epoch FROM d.expires_at))::float8 AS "expiresAt"`;

/** An unexpired device of the user $1 by its id ($2). */
export const TOKEN2FA_BY_ID = prepared(
  `SELECT ${COLUMNS} FROM trusted_devices d WHERE d.user_id = $1 AND d.id = $2 AND d.expires_at > now()`,
);

const COLUMN_OF: Readonly<Record<Token2faOrder, string>> = {
  id: 'id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

/** A page of the unexpired devices of a user with their total; a page beyond the end is one row whose id is null. */
export function token2faPage(userId: number, request: ListRequest<Token2faOrder>): Query {
  const values: unknown[] = [userId, request.limit + 1, request.offset];
  let condition = '';
  if (request.filter !== undefined) {
    // A user has few devices, so a scan of them serves the search; the separator keeps texts apart.
    condition = `AND lower(concat_ws(E'\\x1f', d.address, d.os, d.browser, d.user_agent, d.country)) LIKE lower($4)`;
    values.push(substringPattern(request.filter));
  }
  const direction = request.descending ? 'DESC' : 'ASC';
  const column = COLUMN_OF[request.orderBy];
  return {
    statement: prepared(`
      WITH matching AS (
        SELECT * FROM trusted_devices d WHERE d.user_id = $1 AND d.expires_at > now() ${condition}
      ), page AS (
        SELECT * FROM matching d ORDER BY d.${column} ${direction}, d.id ${direction} LIMIT $2 OFFSET $3
      )
      SELECT counted.total AS "listTotal", ${COLUMNS}
      FROM (SELECT count(*)::integer AS total FROM matching) counted LEFT JOIN page d ON true
      ORDER BY d.${column} ${direction}, d.id ${direction}`),
    values,
  };
}
