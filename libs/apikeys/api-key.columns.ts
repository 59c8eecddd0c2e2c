import { columnsOf } from '@app/core/paging/column-table';
import type { ApiKeyDetails, ApiKeyItem } from './api-key.types';

/** An API key in the list of a user's keys. */
export const API_KEY_COLUMNS = columnsOf<ApiKeyItem>('api_keys k')({
  id: { read: 'k.id', order: true },
  name: { read: 'k.name', order: true },
  whitelist: { read: 'k.whitelist', order: false },
  expiresAt: { read: 'floor(extract(epoch FROM k.expires_at))::float8', order: 'k.expires_at' },
});

const secondsOf = (moment: string): string => `floor(extract(epoch FROM ${moment}))::float8`;

/** An API key by itself. */
export const API_KEY_DETAILS_COLUMNS = columnsOf<ApiKeyDetails>('api_keys k')({
  id: { read: 'k.id', order: false },
  name: { read: 'k.name', order: false },
  whitelist: { read: 'k.whitelist', order: false },
  readOnly: { read: 'k.read_only', order: false },
  createdAt: { read: secondsOf('k.created_at'), order: false },
  lastUsedAt: { read: secondsOf('k.last_used_at'), order: false },
  rotatedAt: { read: secondsOf('k.rotated_at'), order: false },
  expiresAt: { read: secondsOf('k.expires_at'), order: false },
});
