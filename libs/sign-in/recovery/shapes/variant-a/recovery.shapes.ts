import { VARIANT_A_PASSWORD_RULES } from '@app/security/passwords/password-rules';
import { RecoveryShapes, resetPasswordShape } from '../recovery.shapes';

export class VariantRecoveryShapes extends RecoveryShapes {
  readonly reset = resetPasswordShape(VARIANT_A_PASSWORD_RULES);
}
