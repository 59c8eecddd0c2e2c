import { Injectable } from '@nestjs/common';
import { SecondFactorMissing } from '@app/users/credentials.errors';
import { answersToken, SecondFactorStep, type DeviceStep, type FactorUser } from '../second-factor';

/**
 * Variant B has no second step: whoever has or needs a second factor is refused, so that the older variant is
 * no way around it (decisions.md section 5).
 */
@Injectable()
export class NoSecondFactor extends SecondFactorStep {
  // eslint-disable-next-line @typescript-eslint/require-await -- the other variant asks the database
  async pass(user: FactorUser): Promise<DeviceStep> {
    if (user.secondFactor === 'requested') throw new SecondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'enabled' || user.required)
      throw new SecondFactorMissing('SECOND_FACTOR_REQUIRED');
    return answersToken('');
  }
}
