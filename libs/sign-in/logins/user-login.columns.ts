import { alphabetical, columnsOf, ordered, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { isLoginAlive } from '@app/security/access/valid-logins';
import { Login } from '@app/sign-in/auth/login.entity';

const SERVICE_KEY = `coalesce(l.service_key_name, '')`;
const REASON = `coalesce(l.support_reason, '')`;

/** $1 is the id of the presented login. */
export const USER_LOGIN_COLUMNS = columnsOf(Login, 'l', {
  ordered: ['id'],
  codes: ['address', 'country', 'os', 'browser'],
  seconds: ['createdAt', 'lastUsedAt'],
  sql: {
    support: ordered<boolean>('l.staff_id IS NOT NULL'),
    reason: ordered<string>(REASON, alphabetical(REASON)),
    serviceKey: ordered<string>(SERVICE_KEY, alphabetical(SERVICE_KEY)),
    current: ordered<boolean>('l.id = $1'),
  },
});

/** A login, as its user and managers see it. Only the response of the login itself contains the hash. */
export type UserLogin = RowOf<typeof USER_LOGIN_COLUMNS>;

export type UserLoginOrder = OrderOf<typeof USER_LOGIN_COLUMNS>;

// A user has few logins, so the search scans them. The separator keeps the texts apart.
const SEARCHED = `concat_ws(E'\\x1f', l.address, l.country, l.os, l.browser, l.support_reason,
  l.service_key_name)`;

/** The values that select the logins of a page. */
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
) =>
  new ListQuery(USER_LOGIN_COLUMNS, request, [presentedId, idleSeconds])
    .where(isLoginAlive('l', '$2'))
    .with('l.user_id', userId)
    .filteredBy(SEARCHED)
    .withTotal();
