import { updateShape } from '@app/core/wire/shapes';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/users/shapes/step-up.decorators';

/** Body of `PATCH …/disable2fa`. */
class DisableTwoFactorDto {
  @StepUpPasswordField()
  password?: string | null;

  @StepUpCodeField()
  '6digitCode'?: string | null;
}

export const disableTwoFactorShape = updateShape(DisableTwoFactorDto, stepUpProof);
