import { withAsciiDomain } from '@app/formats/email-domains';
import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, type RequestShape } from '@app/platform/dto/shapes';
import { PasswordField, type PasswordRules } from '@app/security/passwords/password-rules';
import { LOGIN } from '@app/sign-in/auth/shapes/shared/login-parts.response';
import type { PasswordResetInput, RecoveryRequestInput } from '../recovery.types';

/** Body of `POST /resetting/send_email`. */
class RequestRecoveryDto {
  @TextField({
    trim: true,
    read: withAsciiDomain,
    max: 254,
    required: true,
    example: 'jan@example.nl',
    ...LOGIN.username,
  })
  username!: string;
}

/** Body of `POST /resetting/{token}`, with the variant's rules for new passwords. */
export function resetPasswordShape(rules: PasswordRules): RequestShape<PasswordResetInput> {
  class ResetPasswordDto {
    @PasswordField({ rules }) password!: string;
  }
  return createShape(ResetPasswordDto, (dto) => ({ password: dto.password }));
}

/** The request shapes of recovery, in the running variant; the response is that of a user. */
export abstract class RecoveryShapes {
  readonly request = createShape(RequestRecoveryDto, (dto): RecoveryRequestInput => ({
    username: dto.username,
  }));
  abstract readonly reset: RequestShape<PasswordResetInput>;
}
