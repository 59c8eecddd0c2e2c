import { columnsOf } from '@app/core/paging/column-table';
import type { ApiKeyItem } from './api-key.types';

/** An API key in the list of a user's keys. */
export const API_KEY_COLUMNS = columnsOf<ApiKeyItem>('api_keys k')({
  id: { read: 'k.id', order: true },
  name: { read: 'k.name', order: true },
  whitelist: { read: 'k.whitelist', order: false },
  expiresAt: { read: 'floor(extract(epoch FROM k.expires_at))::float8', order: 'k.expires_at' },
});
