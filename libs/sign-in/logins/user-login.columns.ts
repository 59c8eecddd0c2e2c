import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import { isLoginAlive } from '@app/security/access/valid-logins';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

/** A login as its user and managers see it. Only the login itself returns the hash. */
export interface UserLogin {
  readonly id: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds; written at most once a minute. */
  readonly lastUsedAt: number;
  readonly address: string;
  readonly country: string;
  readonly os: string;
  readonly browser: string;
  /** Staff acts in the name of the user with it. */
  readonly support: boolean;
  /** Reason of a support login; otherwise empty. */
  readonly reason: string;
  /** Whether it is the presented credential. */
  readonly current: boolean;
}

/** The orders of the list. */
export type UserLoginOrder = OrderOf<typeof USER_LOGIN_COLUMNS>;

/** A login as its user sees it; $1 is the id of the presented one. */
export const USER_LOGIN_COLUMNS = columnsOf<UserLogin>('logins l')({
  id: { read: 'l.id', order: true },
  createdAt: { read: 'floor(extract(epoch FROM l.created_at))::float8', order: 'l.created_at' },
  lastUsedAt: { read: 'floor(extract(epoch FROM l.last_used_at))::float8', order: 'l.last_used_at' },
  address: { read: 'l.address', order: true },
  country: { read: 'l.country', order: true },
  os: { read: 'l.os', order: true },
  browser: { read: 'l.browser', order: true },
  support: { read: 'l.staff_id IS NOT NULL', order: true },
  reason: { read: `coalesce(l.support_reason, '')`, order: true },
  current: { read: 'l.id = $1', order: true },
});

// A user has few logins, so a scan of them serves the search; the separator keeps texts apart.
const SEARCHED = `lower(concat_ws(E'\\x1f', l.address, l.country, l.os, l.browser, l.support_reason))`;

/** Selects the logins of a page. */
interface LoginSelection {
  readonly userId: number;
  /** Id of the presented login; 0 for an API key. */
  readonly presentedId: number;
  /** Seconds that a login lives after its last use. */
  readonly idleSeconds: number;
}

/** A page of the valid logins of a user, with their total. */
export const userLoginPage = (
  { userId, presentedId, idleSeconds }: LoginSelection,
  request: ListRequest<UserLoginOrder>,
): PageQuery<UserLogin> =>
  new ListQuery(USER_LOGIN_COLUMNS, request, [presentedId, idleSeconds])
    .where(isLoginAlive('l', '$2'))
    .with('l.user_id', userId)
    .filteredBy(SEARCHED)
    .withTotal();
