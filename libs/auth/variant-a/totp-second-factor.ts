import { Injectable } from '@nestjs/common';
import type { Client } from '@app/core/access/client';
import { CodeChecks } from '@app/users/code-checks';
import { SecondFactorMissing } from '@app/users/credentials.errors';
import type { LoginInput } from '../auth.types';
import { answersToken, SecondFactorStep, type DeviceStep, type FactorUser } from '../second-factor';
import { TrustedDevices } from './trusted-devices';

/** Variant A asks for a second factor where the user has one or the organisation demands one. */
@Injectable()
export class TotpSecondFactor extends SecondFactorStep {
  constructor(
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
  ) {
    super();
  }

  async pass(
    user: FactorUser,
    input: Pick<LoginInput, 'code' | 'trustThisDevice' | 'deviceToken'>,
    client: Client,
  ): Promise<DeviceStep> {
    if (user.secondFactor === 'requested') throw new SecondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'disabled') {
      if (user.required) throw new SecondFactorMissing('SECOND_FACTOR_REQUIRED');
      return answersToken('');
    }
    const { code, deviceToken } = input;
    if (deviceToken !== undefined && (await this.devices.isTrusted(user.id, deviceToken))) {
      return answersToken(deviceToken);
    }
    const renewedToken = client.isAddressOwn ? await this.devices.recognise(user.id, client) : undefined;
    if (renewedToken !== undefined) return answersToken(renewedToken);
    if (deviceToken !== undefined && code === undefined)
      throw new SecondFactorMissing('DEVICE_TOKEN_INVALID');
    return this.passWithCode(user, code, input.trustThisDevice ?? false, client);
  }

  private async passWithCode(
    user: FactorUser,
    code: string | undefined,
    trustThisDevice: boolean,
    client: Client,
  ): Promise<DeviceStep> {
    await this.codes.use(user, code);
    return trustThisDevice ? (manager) => this.devices.trust(manager, user.id, client) : answersToken('');
  }
}
