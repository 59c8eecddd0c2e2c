import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { ApiKey } from './api-key.entity';
import type { ApiKeyInput } from './api-key.types';

const ITEM = { ordered: ['id', 'name'], shown: ['whitelist'], seconds: ['expiresAt'] } as const;

export const API_KEY_COLUMNS = columnsOf(ApiKey, 'k', ITEM);

/** An API key in the list of a user's keys. */
export type ApiKeyItem = RowOf<typeof API_KEY_COLUMNS>;

export type ApiKeyOrder = OrderOf<typeof API_KEY_COLUMNS>;

/** A new key with its value for the `Authorization` header. The value is never stored. */
export type CreatedApiKey = Pick<ApiKeyItem, 'id'> & ApiKeyInput & { readonly hash: string };

const API_KEY_DETAILS_COLUMNS = columnsOf(ApiKey, 'k', {
  ordered: ITEM.ordered,
  shown: [...ITEM.shown, 'readOnly'],
  seconds: [...ITEM.seconds, 'createdAt', 'lastUsedAt', 'rotatedAt'],
});

/** An API key with the further fields of a single read. */
export type ApiKeyDetails = RowOf<typeof API_KEY_DETAILS_COLUMNS>;

/** The API key $2 of the user $1. */
export const API_KEY_BY_ID = API_KEY_DETAILS_COLUMNS.select('k.user_id = $1 AND k.id = $2');

/** SQL condition: the key has not ended by a rotation. Such keys are hidden until the worker deletes them. */
export const isNotRetired = (key: string): string =>
  `(${key}.rotated_at IS NULL OR ${key}.expires_at > now())`;

/** A page of the API keys of a user, with their total. It includes expired keys that were not rotated. */
export const apiKeyPage = (userId: number, request: ListRequest<ApiKeyOrder>) =>
  new ListQuery(API_KEY_COLUMNS, request)
    .with('k.user_id', userId)
    .where(isNotRetired('k'))
    .filteredBy('k.name')
    .withTotal();
