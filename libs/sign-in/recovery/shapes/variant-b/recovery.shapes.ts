import { VARIANT_B_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { RecoveryShapes, resetPasswordShape } from '../recovery.shapes';

export class VariantRecoveryShapes extends RecoveryShapes {
  readonly reset = resetPasswordShape(VARIANT_B_PASSWORD_RULES);
}
