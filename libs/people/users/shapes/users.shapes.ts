import {
  toUserItemResponse,
  UserItemResponse,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type RequestShape, type ResponseShape } from '@app/platform/dto/shapes';
import type { TextRule } from '@app/platform/dto/text-rules';
import { listOf } from '@app/platform/lists/list-request';
import { PasswordField, type PasswordRules } from '@app/security/passwords/password-rules';
import { USER_COLUMNS, type UserDetails } from '../user.columns';
import type { PasswordChange, UserAction, UserChanges } from '../user.types';

/** Body of `POST …/users/{userId}/actions`. */
class UserActionDto {
  @WordField({
    words: ['enable', 'disable'],
    required: true,
    description: 'Disabling ends logins for good and rests API keys; enabling revives the keys',
  })
  type!: UserAction['type'];
}

/** Body of `POST …/changepassword`, with the variant's rules for new passwords. */
export function changePasswordShape(rules: PasswordRules): RequestShape<PasswordChange> {
  class ChangePasswordDto {
    @TextField({ max: 4096, required: true, format: 'password', description: 'The present password' })
    oldPassword!: string;

    @PasswordField({ rules }) password!: string;
  }
  return createShape(ChangePasswordDto, (dto) => ({
    oldPassword: dto.oldPassword,
    newPassword: dto.password,
  }));
}

/** The request and response shapes of users, in the running variant. */
export abstract class UsersShapes {
  /** Extra validation for a new user name in this variant. */
  readonly newNameRules: readonly TextRule[] = [];
  /** Body of `PATCH …/users/{userId}`. */
  abstract readonly update: RequestShape<UserChanges>;
  abstract readonly changePassword: RequestShape<PasswordChange>;
  /** Response with one user. */
  abstract readonly single: ResponseShape<UserDetails>;
  /** Body of `POST …/actions`. */
  readonly action = createShape(UserActionDto, (dto): UserAction => ({ type: dto.type }));
  readonly list = listOf('users', USER_COLUMNS, UserItemResponse, toUserItemResponse, {
    orders: { email: 'username' },
    as: 'UserListResponse',
  });
}
