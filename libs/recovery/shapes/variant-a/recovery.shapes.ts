import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { creationShape } from '@app/core/wire/shapes';
import type { PasswordReset } from '../../recovery.values';
import { RecoveryShapes } from '../recovery.shapes';

/** Body of `POST /resetting/{token}` in Variant A. */
export class PasswordResetA {
  @PasswordField({ rules: VARIANT_A_PASSWORD_RULES })
  password!: string;
}

/** Recovery in Variant A. */
export class RecoveryShapesA extends RecoveryShapes {
  readonly reset = creationShape(PasswordResetA, (dto): PasswordReset => ({ password: dto.password }));
}
