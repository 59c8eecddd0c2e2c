import { columnsOf } from '@app/core/paging/column-table';
import type { Token2fa } from './token2fa.types';

/** A trusted device as its user sees it. */
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
