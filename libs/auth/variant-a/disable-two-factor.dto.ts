import { TextField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import { STEP_UP_CODE, STEP_UP_PASSWORD, stepUpProof } from '@app/users/shapes/step-up.decorators';

/** Body of `PATCH …/disable2fa`, which is looked at with `STEP_UP` alone. */
class DisableTwoFactorDto {
  @TextField({ max: 4096, nullable: true, format: 'password', description: STEP_UP_PASSWORD })
  password?: string | null;

  @TextField({ max: 32, nullable: true, example: '123456', description: STEP_UP_CODE })
  '6digitCode'?: string | null;
}

export const disableTwoFactorShape = updateShape(DisableTwoFactorDto, stepUpProof);
