import { Injectable } from '@nestjs/common';
import { secondFactorMissing } from '@app/people/users/user.types';
import type { RequestContext } from '@app/security/context/request-context';
import { type FactorUser, type PassedFactor, SecondFactorStep } from '../second-factor';

/**
 * Variant B has no second step. It refuses users who have or need a second factor, so that the older variant
 * is no way around the second factor (rule variant-b 8).
 */
@Injectable()
export class NoSecondFactor extends SecondFactorStep {
  // oxlint-disable-next-line typescript/require-await -- the other variant asks the database
  async pass(_: RequestContext, user: FactorUser): Promise<PassedFactor> {
    if (user.secondFactor === 'requested') throw secondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'enabled' || user.required) throw secondFactorMissing('SECOND_FACTOR_REQUIRED');
    return { deviceToken: '', trustsDevice: false };
  }

  /** A login of this variant trusts none. */
  protected override trustDevice(): Promise<string> {
    return Promise.resolve('');
  }
}
