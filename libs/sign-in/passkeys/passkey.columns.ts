import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { Passkey } from './passkey.entity';

export const PASSKEY_COLUMNS = columnsOf(Passkey, 'p', {
  ordered: ['id', 'name', 'backedUp'],
  seconds: ['createdAt', 'lastUsedAt'],
});

/** A passkey as its user sees it. */
export type PasskeyDetails = RowOf<typeof PASSKEY_COLUMNS>;

export type PasskeyOrder = OrderOf<typeof PASSKEY_COLUMNS>;

/** The passkey $2 of the user $1. */
export const PASSKEY_BY_ID = PASSKEY_COLUMNS.select('p.user_id = $1 AND p.id = $2');

/** A page of the passkeys of a user, with their total. */
export const passkeyPage = (userId: number, request: ListRequest<PasskeyOrder>) =>
  new ListQuery(PASSKEY_COLUMNS, request).with('p.user_id', userId).filteredBy('p.name').withTotal();
