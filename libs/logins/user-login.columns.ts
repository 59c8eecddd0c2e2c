import { columnsOf } from '@app/core/paging/column-table';
import type { UserLogin } from './user-login.types';

/** A login as its user sees it; $1 is the id of the presented one. */
export const USER_LOGIN_COLUMNS = columnsOf<UserLogin>('logins l')({
  id: { read: 'l.id', order: true },
  createdAt: { read: 'floor(extract(epoch FROM l.created_at))::float8', order: 'l.created_at' },
  lastUsedAt: { read: 'floor(extract(epoch FROM l.last_used_at))::float8', order: 'l.last_used_at' },
  address: { read: 'l.address', order: true },
  country: { read: 'l.country', order: true },
  os: { read: 'l.os', order: true },
  browser: { read: 'l.browser', order: true },
  current: { read: 'l.id = $1', order: true },
});
