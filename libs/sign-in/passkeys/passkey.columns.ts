import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import type { PasskeyDetails } from './passkey.types';

const secondsOf = (moment: string): string => `floor(extract(epoch FROM ${moment}))::float8`;

export const PASSKEY_COLUMNS = columnsOf<PasskeyDetails>('passkeys p')({
  id: { read: 'p.id', order: true },
  name: { read: 'p.name', order: true },
  createdAt: { read: secondsOf('p.created_at'), order: 'p.created_at' },
  lastUsedAt: { read: secondsOf('p.last_used_at'), order: 'p.last_used_at' },
  backedUp: { read: 'p.backed_up', order: true },
});

/** The passkey $2 of the user $1. */
export const PASSKEY_BY_ID = PASSKEY_COLUMNS.select('p.user_id = $1 AND p.id = $2');

/** A page of the passkeys of a user, with their total. */
export const passkeyPage = (userId: number, request: ListRequest<PasskeyOrder>): PageQuery<PasskeyDetails> =>
  new ListQuery(PASSKEY_COLUMNS, request).with('p.user_id', userId).filteredBy('lower(p.name)').withTotal();

/** The orders of lists of passkeys. */
export type PasskeyOrder = OrderOf<typeof PASSKEY_COLUMNS>;
