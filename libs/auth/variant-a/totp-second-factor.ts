import { Injectable } from '@nestjs/common';
import type { Client } from '@app/core/access/client';
import { Transactions } from '@app/core/database/transactions';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { SecondFactorMissing } from '../auth.errors';
import type { LoginAttempt } from '../auth.values';
import { SecondFactorStep, type FactorUser } from '../second-factor';
import { CodeChecks, secretContext } from './code-checks';
import { TrustedDevices } from './trusted-devices';

/** A code is good once, on every node, and codes of older steps than the last accepted one never are. */
const ACCEPT_STEP = `
  UPDATE users SET totp_last_step = $2, totp_secret = $4
  WHERE id = $1 AND second_factor = 'enabled' AND totp_secret = $3
    AND (totp_last_step IS NULL OR totp_last_step < $2)`;

/** Variant A asks for a second factor where the user has one or the organisation demands one. */
@Injectable()
export class TotpSecondFactor extends SecondFactorStep {
  constructor(
    private readonly transactions: Transactions,
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
    private readonly keyring: SecretsKeyring,
  ) {
    super();
  }

  async pass(
    user: FactorUser,
    attempt: Pick<LoginAttempt, 'code' | 'trustThisDevice' | 'deviceToken'>,
    client: Client,
  ): Promise<string> {
    if (user.secondFactor === 'requested') throw new SecondFactorMissing('SECOND_FACTOR_REQUESTED');
    if (user.secondFactor === 'disabled') {
      if (user.required) throw new SecondFactorMissing('SECOND_FACTOR_REQUIRED');
      return '';
    }
    const { code, deviceToken } = attempt;
    if (deviceToken !== undefined && (await this.devices.isTrusted(user.id, deviceToken))) return deviceToken;
    const renewedToken = await this.devices.recognise(user.id, client);
    if (renewedToken !== undefined) return renewedToken;
    if (deviceToken !== undefined && code === undefined)
      throw new SecondFactorMissing('DEVICE_TOKEN_INVALID');
    return this.passWithCode(user, code, attempt.trustThisDevice ?? false, client);
  }

  private async passWithCode(
    user: FactorUser,
    code: string | undefined,
    trustThisDevice: boolean,
    client: Client,
  ): Promise<string> {
    const { step, sealedSecret, secret } = await this.codes.check(user, code);
    const resealed = this.keyring.isCurrent(sealedSecret)
      ? sealedSecret
      : this.keyring.encrypt(secret, secretContext(user.id));
    const token = await this.transactions.run(async (manager) => {
      const [, accepted] = await manager.query<[unknown[], number]>(ACCEPT_STEP, [
        user.id,
        step,
        sealedSecret,
        resealed,
      ]);
      if (accepted === 0) throw new SecondFactorMissing('CODE_INVALID');
      return trustThisDevice ? this.devices.trust(manager, user.id, client) : '';
    });
    await this.codes.forgive(user.id);
    return token;
  }
}
