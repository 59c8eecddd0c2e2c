import { isLoginAlive } from '@app/access/access.queries';
import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { USER_LOGIN_COLUMNS } from './user-login.columns';
import type { UserLogin, UserLoginOrder } from './user-login.types';

// A user has few logins, so a scan of them serves the search; the separator keeps texts apart.
const SEARCHED = `lower(concat_ws(E'\\x1f', l.address, l.country, l.os, l.browser))`;

/** What decides which logins of a user a page shows, beside what was asked for. */
interface LoginSelection {
  readonly userId: number;
  /** Id of the login that the request carries; 0 for an API key. */
  readonly presentedId: number;
  /** Seconds that a login lives after its last use. */
  readonly idleSeconds: number;
}

/** A page of the logins of a user that still count, with their total. */
export const userLoginPage = (
  { userId, presentedId, idleSeconds }: LoginSelection,
  request: ListRequest<UserLoginOrder>,
): Query<UserLogin> =>
  new ListQuery(USER_LOGIN_COLUMNS, request, [presentedId, idleSeconds])
    .where(isLoginAlive('l', '$2'))
    .with('l.user_id', userId)
    .filteredBy(SEARCHED)
    .withTotal();
