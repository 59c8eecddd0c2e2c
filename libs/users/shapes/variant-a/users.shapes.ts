import { responseShape } from '@app/core/wire/shapes';
import type { UserDetails } from '../../user.types';
import { validateEmail } from '../email.decorators';
import { UsersShapes } from '../users.shapes';
import { changePasswordShape } from './change-password.dto';
import { updateUserShape } from './update-user.dto';
import { SingleUserResponse, toUserResponse } from './user.response';

export class VariantUsersShapes extends UsersShapes {
  override readonly validateNewName = validateEmail;
  readonly update = updateUserShape;
  readonly changePassword = changePasswordShape;
  readonly single = responseShape(SingleUserResponse, (user: UserDetails) => ({
    user: toUserResponse(user),
  }));
}
