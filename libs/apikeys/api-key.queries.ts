import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { API_KEY_COLUMNS, API_KEY_DETAILS_COLUMNS } from './api-key.columns';
import type { ApiKeyItem, ApiKeyOrder } from './api-key.types';

/** The API key $2 of the user $1. */
export const API_KEY_BY_ID = API_KEY_DETAILS_COLUMNS.select('k.user_id = $1 AND k.id = $2');

/** A page of the API keys of a user, expired ones included, with their total. */
export const apiKeyPage = (userId: number, request: ListRequest<ApiKeyOrder>): Query<ApiKeyItem> =>
  new ListQuery(API_KEY_COLUMNS, request).with('k.user_id', userId).filteredBy('lower(k.name)').withTotal();
