import type { ListShape, ReplyShape, RequestShape } from '@app/core/wire/shapes';
import type {
  PasswordChange,
  UserAction,
  UserChanges,
  UserDetails,
  UserItem,
  UserOrder,
} from '../user.values';
import { actionShape } from './same-in-both';

/** The request and response shapes of users, in the running variant. */
export abstract class UsersShapes {
  /** Body of `PATCH …/users/{userId}`. */
  abstract readonly change: RequestShape<UserChanges>;
  /** Body of `POST …/changepassword`. */
  abstract readonly passwordChange: RequestShape<PasswordChange>;
  /** Answer of everything that gives one user. */
  abstract readonly single: ReplyShape<UserDetails>;
  /** Body of `POST …/actions`. */
  readonly action: RequestShape<UserAction> = actionShape;
  /** Answer of `GET …/users`. */
  abstract readonly list: ListShape<UserItem, UserOrder>;
}
