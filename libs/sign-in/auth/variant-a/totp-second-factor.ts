import { Injectable } from '@nestjs/common';
import { CodeChecks } from '@app/people/users/code-checks';
import { secondFactorMissing } from '@app/people/users/user.types';
import type { RequestContext } from '@app/security/context/request-context';
import type { LoginInput } from '../auth.types';
import { type DeviceStep, type FactorUser, respondWithToken, SecondFactorStep } from '../second-factor';
import { TrustedDevices } from './trusted-devices';

/** Variant A asks for a second factor if the user has one or the organisation demands one. */
@Injectable()
export class TotpSecondFactor extends SecondFactorStep {
  constructor(
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
  ) {
    super();
  }

  async pass(
    ctx: RequestContext,
    user: FactorUser,
    input: Pick<LoginInput, 'code' | 'trustThisDevice' | 'deviceToken'>,
  ): Promise<DeviceStep> {
    if (user.secondFactor === 'requested') throw secondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'disabled') {
      if (user.required) throw secondFactorMissing('SECOND_FACTOR_REQUIRED');
      return respondWithToken('');
    }
    const { code, deviceToken } = input;
    if (deviceToken !== undefined && (await this.devices.isTrusted(ctx, user.id, deviceToken))) {
      return respondWithToken(deviceToken);
    }
    const renewedToken = ctx.isIpOwn ? await this.devices.recognise(ctx, user.id) : undefined;
    if (renewedToken !== undefined) return respondWithToken(renewedToken);
    if (deviceToken !== undefined && code === undefined) throw secondFactorMissing('DEVICE_TOKEN_INVALID');
    return this.passWithCode(ctx, user, code, input.trustThisDevice ?? false);
  }

  private async passWithCode(
    ctx: RequestContext,
    user: FactorUser,
    code: string | undefined,
    trustThisDevice: boolean,
  ): Promise<DeviceStep> {
    await this.codes.use(ctx, user, code);
    return trustThisDevice ? (manager) => this.devices.trust(ctx, manager, user.id) : respondWithToken('');
  }
}
