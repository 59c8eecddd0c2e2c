import { Injectable } from '@nestjs/common';
import { CodeChecks, type CodeOwner } from '@app/users/code-checks';
import { canonicalRecoveryCode } from './recovery-code-text';
import { RecoveryCodes } from './recovery-codes';

/** Takes the code of a second factor that is on, wherever one is asked for: the authenticator's or a recovery code. */
@Injectable()
export class SecondFactorCodes {
  constructor(
    private readonly checks: CodeChecks,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** Uses a code up, whatever becomes of what it was presented for; 401 for a wrong one, 429 past the limit. */
  async use(user: CodeOwner, code: string | undefined): Promise<void> {
    const recoveryCode = code === undefined ? undefined : canonicalRecoveryCode(code);
    if (recoveryCode === undefined) return this.checks.use(user, code);
    await this.checks.count(user.id);
    await this.recoveryCodes.use(user.id, recoveryCode);
    await this.checks.reset(user.id);
  }
}
