import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CodeChecks } from '@app/people/users/code-checks';
import { secondFactorMissing } from '@app/people/users/user.types';
import { TooManyRequests, Unauthorised } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import type { LoginInput } from '../auth.types';
import { type FactorUser, type PassedFactor, SecondFactorStep } from '../second-factor';
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
  ): Promise<PassedFactor> {
    if (user.secondFactor === 'requested') throw secondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'disabled') {
      if (user.required) throw secondFactorMissing('SECOND_FACTOR_REQUIRED');
      return { deviceToken: '', trustsDevice: false };
    }
    const { code, deviceToken, trustThisDevice = false } = input;
    const token = await this.tokenOfTrusted(ctx, user.id, deviceToken);
    if (token !== undefined) {
      const trustsDevice = trustThisDevice && code !== undefined && (await this.isRight(ctx, user, code));
      return { deviceToken: token, trustsDevice };
    }
    if (deviceToken !== undefined && code === undefined) throw secondFactorMissing('DEVICE_TOKEN_INVALID');
    await this.codes.use(ctx, user, code);
    return { deviceToken: '', trustsDevice: trustThisDevice };
  }

  protected override trustDevice(
    ctx: RequestContext,
    manager: EntityManager,
    userId: number,
  ): Promise<string> {
    return this.devices.trust(ctx, manager, userId);
  }

  /** The token that answers a login of a trusted device; undefined for any other. */
  private async tokenOfTrusted(
    ctx: RequestContext,
    userId: number,
    presented: string | undefined,
  ): Promise<string | undefined> {
    if (presented !== undefined && (await this.devices.isTrusted(ctx, userId, presented))) return presented;
    return ctx.isIpOwn ? this.devices.recognise(ctx, userId) : undefined;
  }

  /** A trusted device needs no code, so that a wrong one refuses nothing. It is a guess all the same. */
  private async isRight(ctx: RequestContext, user: FactorUser, code: string): Promise<boolean> {
    try {
      await this.codes.use(ctx, user, code);
      return true;
    } catch (error) {
      if (error instanceof Unauthorised || error instanceof TooManyRequests) return false;
      throw error;
    }
  }
}
