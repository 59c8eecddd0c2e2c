import { PasswordField } from '@app/core/passwords/password-field';
import { VARIANT_B_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { creationShape } from '@app/core/wire/shapes';
import type { PasswordReset } from '../../recovery.values';
import { RecoveryShapes } from '../recovery.shapes';

/** Body of `POST /resetting/{token}` in Variant B. */
export class PasswordResetB {
  @PasswordField({ rules: VARIANT_B_PASSWORD_RULES })
  password!: string;
}

/** Recovery in Variant B. */
export class RecoveryShapesB extends RecoveryShapes {
  readonly reset = creationShape(PasswordResetB, (dto): PasswordReset => ({ password: dto.password }));
}
