import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { acceptStep } from '@app/users/second-factor-storage';
import { SecondFactorMissing } from '../auth.errors';
import type { FactorUser } from '../second-factor';
import { CodeChecks, secretContext } from './code-checks';
import { canonicalRecoveryCode } from './recovery-code-text';
import { RecoveryCodes } from './recovery-codes';

/** Takes the code of a second factor that is on, wherever one is asked for: the authenticator's or a recovery code. */
@Injectable()
export class SecondFactorCodes {
  constructor(
    private readonly transactions: Transactions,
    private readonly checks: CodeChecks,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly keyring: SecretsKeyring,
  ) {}

  /** Uses a code up, whatever becomes of what it was presented for; 401 for a wrong one, 429 past the limit. */
  async use(
    user: Pick<FactorUser, 'id' | 'totpSecret' | 'totpLastStep'>,
    code: string | undefined,
  ): Promise<void> {
    const recoveryCode = code === undefined ? undefined : canonicalRecoveryCode(code);
    if (recoveryCode === undefined) {
      await this.useStep(user, code);
    } else {
      await this.checks.count(user.id);
      await this.recoveryCodes.use(user.id, recoveryCode);
    }
    await this.checks.reset(user.id);
  }

  private async useStep(
    user: Pick<FactorUser, 'id' | 'totpSecret' | 'totpLastStep'>,
    code: string | undefined,
  ): Promise<void> {
    const { step, sealedSecret, secret } = await this.checks.check(user, code);
    const reencrypted = this.keyring.isCurrent(sealedSecret)
      ? sealedSecret
      : this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run(async (manager) => {
      const accepted = { step, checkedSecret: sealedSecret, secret: reencrypted };
      if (!(await acceptStep(manager, user.id, accepted))) throw new SecondFactorMissing('CODE_INVALID');
    });
  }
}
