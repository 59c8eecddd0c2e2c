import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { TOKEN2FA_COLUMNS } from './token2fa.columns';
import type { Token2fa, Token2faOrder } from './token2fa.types';

/** An unexpired device of the user $1 by its id ($2). */
export const TOKEN2FA_BY_ID = TOKEN2FA_COLUMNS.select(
  'd.user_id = $1 AND d.id = $2 AND d.expires_at > now()',
);

// A user has few devices, so a scan of them serves the search; the separator keeps texts apart.
const SEARCHED = `lower(concat_ws(E'\\x1f', d.address, d.os, d.browser, d.user_agent, d.country))`;

/** A page of the unexpired devices of a user, with their total. */
export const token2faPage = (userId: number, request: ListRequest<Token2faOrder>): Query<Token2fa> =>
  new ListQuery(TOKEN2FA_COLUMNS, request)
    .with('d.user_id', userId)
    .where('d.expires_at > now()')
    .filteredBy(SEARCHED)
    .withTotal();
