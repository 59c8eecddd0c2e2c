import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { API_KEY_COLUMNS } from './api-key.columns';
import type { ApiKeyItem, ApiKeyOrder } from './api-key.types';

/** A page of the API keys of a user, expired ones included, with their total. */
export const apiKeyPage = (userId: number, request: ListRequest<ApiKeyOrder>): Query<ApiKeyItem> =>
  new ListQuery(API_KEY_COLUMNS, request).with('k.user_id', userId).filteredBy('lower(k.name)').withTotal();
