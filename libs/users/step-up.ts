import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { ValidationFailed } from '@app/core/errors/api-error';
import { PasswordChecks } from '@app/core/passwords/password-checks';
import { knownAt } from '@app/core/throttling/acquaintance';
import { Settings } from '@app/core/settings/settings';
import { REQUIRED } from '@app/core/wire/read-body';
import { CodeChecks, type CodeOwner } from './code-checks';
import { BadCredentials } from './credentials.errors';
import type { SecondFactor } from './user.entity';
import type { StepUpProof } from './user.types';

const USER = prepared(`
  SELECT id, username, password_hash AS "passwordHash", second_factor AS "secondFactor", totp_secret AS "totpSecret",
    totp_last_step AS "totpLastStep"
  FROM users WHERE id = $1 AND deleted_at IS NULL`);

interface ProvingUser extends CodeOwner {
  readonly username: string;
  readonly passwordHash: string;
  readonly secondFactor: SecondFactor;
}

/** With `STEP_UP`, users prove who they are before they change what a stolen login would be kept with. */
@Injectable()
export class StepUp {
  constructor(
    private readonly settings: Settings,
    private readonly queries: PreparedQueries,
    private readonly passwords: PasswordChecks,
    private readonly codes: CodeChecks,
  ) {}

  /**
   * 400 on what is missing, 401 for what is wrong, which is counted as at a login, and 429 past its limits. Call it
   * before the transaction of the change: a refused proof must stay counted.
   */
  async confirm(caller: Caller, proof: StepUpProof | undefined, address: string): Promise<void> {
    if (!this.settings.stepUp) return;
    const { password, code } = proof ?? {};
    const user = await this.queries.row<ProvingUser>(USER, [caller.userId]);
    if (user === undefined) throw new BadCredentials();
    const hasFactor = user.secondFactor === 'enabled';
    if (password === undefined || (hasFactor && code === undefined)) {
      throw new ValidationFailed({
        ...(password === undefined && { password: [REQUIRED] }),
        ...(hasFactor && code === undefined && { '6digitCode': [REQUIRED] }),
      });
    }
    const { username, passwordHash: stored } = user;
    const acquaintance = knownAt(address, caller);
    const { matches } = await this.passwords.check({ username, password, stored, address, acquaintance });
    if (!matches) throw new BadCredentials();
    if (hasFactor) await this.codes.use({ ...user, acquaintance }, code);
  }
}
