import { secondsOf } from '@app/sign-in/keys/key-rows';
import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { ApiKeyDetails, ApiKeyItem } from './api-key.types';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

/** An API key in the list of a user's keys. */
export const API_KEY_COLUMNS = columnsOf<ApiKeyItem>('api_keys k')({
  id: { read: 'k.id', order: true },
  name: { read: 'k.name', order: true },
  whitelist: { read: 'k.whitelist', order: false },
  expiresAt: { read: secondsOf('k.expires_at'), order: 'k.expires_at' },
});

/** An API key by itself. */
const API_KEY_DETAILS_COLUMNS = columnsOf<ApiKeyDetails>('api_keys k')({
  id: { read: 'k.id', order: false },
  name: { read: 'k.name', order: false },
  whitelist: { read: 'k.whitelist', order: false },
  readOnly: { read: 'k.read_only', order: false },
  createdAt: { read: secondsOf('k.created_at'), order: false },
  lastUsedAt: { read: secondsOf('k.last_used_at'), order: false },
  rotatedAt: { read: secondsOf('k.rotated_at'), order: false },
  expiresAt: { read: secondsOf('k.expires_at'), order: false },
});

/** The API key $2 of the user $1. */
export const API_KEY_BY_ID = API_KEY_DETAILS_COLUMNS.select('k.user_id = $1 AND k.id = $2');

/** SQL condition: the key has not ended by a rotation. Ended ones stay hidden until the worker deletes them. */
export const isNotRetired = (key: string): string =>
  `(${key}.rotated_at IS NULL OR ${key}.expires_at > now())`;

/** A page of the API keys of a user, expired ones included that were not rotated, with their total. */
export const apiKeyPage = (userId: number, request: ListRequest<ApiKeyOrder>): PageQuery<ApiKeyItem> =>
  new ListQuery(API_KEY_COLUMNS, request)
    .with('k.user_id', userId)
    .where(isNotRetired('k'))
    .filteredBy('lower(k.name)')
    .withTotal();

/** The orders of lists of API keys. */
export type ApiKeyOrder = OrderOf<typeof API_KEY_COLUMNS>;
