import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

/** A trusted device as its user sees it. Only the login that trusted it returns the token. */
export interface Token2fa {
  readonly id: number;
  readonly country: string;
  readonly address: string;
  readonly os: string;
  readonly browser: string;
  readonly userAgent: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** The orders of the list. */
export type Token2faOrder = OrderOf<typeof TOKEN2FA_COLUMNS>;

export const TOKEN2FA_COLUMNS = columnsOf<Token2fa>('trusted_devices d')({
  id: { read: 'd.id', order: true },
  country: { read: 'd.country', order: false },
  address: { read: 'd.address', order: false },
  os: { read: 'd.os', order: false },
  browser: { read: 'd.browser', order: false },
  userAgent: { read: 'd.user_agent', order: false },
  createdAt: { read: 'floor(extract(epoch FROM d.created_at))::float8', order: 'd.created_at' },
  expiresAt: { read: 'floor(extract(epoch FROM d.expires_at))::float8', order: 'd.expires_at' },
});

/** An unexpired device of the user $1 by its id ($2). */
export const TOKEN2FA_BY_ID = TOKEN2FA_COLUMNS.select(
  'd.user_id = $1 AND d.id = $2 AND d.expires_at > now()',
);

// A user has few devices, so a scan of them serves the search; the separator keeps texts apart.
const SEARCHED = `lower(concat_ws(E'\\x1f', d.address, d.os, d.browser, d.user_agent, d.country))`;

/** A page of the unexpired devices of a user, with their total. */
export const token2faPage = (userId: number, request: ListRequest<Token2faOrder>): PageQuery<Token2fa> =>
  new ListQuery(TOKEN2FA_COLUMNS, request)
    .with('d.user_id', userId)
    .where('d.expires_at > now()')
    .filteredBy(SEARCHED)
    .withTotal();
