import { orderBy } from '@app/core/wire/order-by';
import { listShape } from '@app/core/wire/shapes';
import { USER_LOGIN_COLUMNS } from '../user-login.columns';
import type { UserLogin, UserLoginOrder } from '../user-login.types';
import { toUserLoginResponse, UserLoginListResponse, UserLoginResponse } from './user-login.response';

/** The response shapes of logins, which both variants have alike. */
export class UserLoginsShapes {
  /** Response of the list. */
  readonly list = listShape<UserLogin, UserLoginListResponse, UserLoginOrder>(
    UserLoginListResponse,
    {
      orderBy: orderBy(USER_LOGIN_COLUMNS, UserLoginResponse, {
        dtCreated: 'createdAt',
        dtLastUsed: 'lastUsedAt',
        ip: 'address',
      }),
      search: {},
    },
    (page) => ({ total: page.total ?? 0, logins: page.items.map(toUserLoginResponse) }),
  );
}
