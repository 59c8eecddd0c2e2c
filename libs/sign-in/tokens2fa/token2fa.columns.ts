import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { TrustedDevice } from '@app/sign-in/auth/trusted-device.entity';

export const TOKEN2FA_COLUMNS = columnsOf(TrustedDevice, 'd', {
  ordered: ['id'],
  shown: ['country', 'address', 'os', 'browser', 'userAgent'],
  seconds: ['createdAt', 'expiresAt'],
});

/**
 * A trusted device, as its user sees it. Only the response of the login that trusted it contains the token.
 */
export type Token2fa = RowOf<typeof TOKEN2FA_COLUMNS>;

export type Token2faOrder = OrderOf<typeof TOKEN2FA_COLUMNS>;

/** An unexpired device of the user $1 by its id ($2). */
export const TOKEN2FA_BY_ID = TOKEN2FA_COLUMNS.select(
  'd.user_id = $1 AND d.id = $2 AND d.expires_at > now()',
);

// A user has few devices, so the search scans them. The separator keeps the texts apart.
const SEARCHED = `concat_ws(E'\\x1f', d.address, d.os, d.browser, d.user_agent, d.country)`;

/** A page of the unexpired devices of a user, with their total. */
export const token2faPage = (userId: number, request: ListRequest<Token2faOrder>) =>
  new ListQuery(TOKEN2FA_COLUMNS, request)
    .with('d.user_id', userId)
    .where('d.expires_at > now()')
    .filteredBy(SEARCHED)
    .withTotal();
