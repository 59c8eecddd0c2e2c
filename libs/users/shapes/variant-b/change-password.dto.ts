import { PasswordField } from '@app/core/passwords/password-field.decorator';
import { VARIANT_B_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { TextField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { PasswordChange } from '../../user.types';

/** Body of `POST …/changepassword`. */
class ChangePasswordDto {
  @TextField({ max: 4096, required: true, format: 'password', description: 'The present password' })
  oldPassword!: string;

  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES })
  password!: string;
}

export const changePasswordShape = createShape(ChangePasswordDto, (dto): PasswordChange => ({
  oldPassword: dto.oldPassword,
  newPassword: dto.password,
}));
