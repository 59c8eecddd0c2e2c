import { PasswordField } from '@app/core/passwords/password-field.decorator';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { createShape } from '@app/core/wire/shapes';
import type { PasswordReset } from '../../recovery.types';

/** Body of `POST /resetting/{token}`. */
class ResetPasswordDto {
  @PasswordField({ rules: VARIANT_A_PASSWORD_RULES })
  password!: string;
}

export const resetPasswordShape = createShape(ResetPasswordDto, (dto): PasswordReset => ({
  password: dto.password,
}));
