import type { Fault } from '@app/core/errors/fault';
import { UserItemResponse } from '@app/organisations/shapes/shared/organisation-parts.response';
import { orderBy } from '@app/core/wire/order-by';
import { USER_COLUMNS } from '../user.columns';
import { listShape, type RequestShape, type ResponseShape } from '@app/core/wire/shapes';
import type { PasswordChange, UserChanges, UserDetails, UserItem, UserOrder } from '../user.types';
import { userActionShape } from './shared/user-action.dto';
import { toUserListResponse, UserListResponse } from './shared/user-list.response';

/** The request and response shapes of users, in the running variant. */
export abstract class UsersShapes {
  /** What is wrong with a name that a user does not have yet, beyond what the body is read by. */
  readonly validateNewName: (name: string) => Fault | undefined = () => undefined;
  /** Body of `PATCH …/users/{userId}`. */
  abstract readonly update: RequestShape<UserChanges>;
  /** Body of `POST …/changepassword`. */
  abstract readonly changePassword: RequestShape<PasswordChange>;
  /** Response of everything that gives one user. */
  abstract readonly single: ResponseShape<UserDetails>;
  /** Body of `POST …/actions`. */
  readonly action = userActionShape;
  /** Response of `GET …/users`. */
  readonly list = listShape<UserItem, UserListResponse, UserOrder>(
    UserListResponse,
    {
      orderBy: orderBy(USER_COLUMNS, UserItemResponse, { email: 'username' }),
      search: {},
    },
    (page) => toUserListResponse(page.items),
  );
}
