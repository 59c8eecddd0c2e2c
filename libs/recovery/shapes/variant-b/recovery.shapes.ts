import { RecoveryShapes } from '../recovery.shapes';
import { resetPasswordShape } from './reset-password.dto';

export class VariantRecoveryShapes extends RecoveryShapes {
  readonly reset = resetPasswordShape;
}
