import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { REQUIRED } from '@app/platform/dto/text-rules';
import { ValidationFailed } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { byCaller, PasswordChecks } from '@app/security/passwords/password-checks';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { CodeChecks, type CodeOwner } from './code-checks';
import { badCredentials, type SecondFactor } from './user.types';

const USER = prepared(`
  SELECT id, username, password_hash AS "passwordHash", second_factor AS "secondFactor", totp_secret AS "totpSecret",
    totp_last_step AS "totpLastStep"
  FROM users WHERE id = $1 AND deleted_at IS NULL`);

const NO_PROOF: StepUpProof = { password: undefined, code: undefined };

interface ProvingUser extends CodeOwner {
  readonly username: string;
  readonly passwordHash: string;
  readonly secondFactor: SecondFactor;
}

/**
 * Users prove their identity before a change that would let a thief keep a stolen login. Some changes always
 * need the proof, others with `STEP_UP`.
 */
@Injectable()
export class StepUp {
  constructor(
    private readonly settings: Settings,
    private readonly queries: DatabaseReads,
    private readonly passwords: PasswordChecks,
    private readonly codes: CodeChecks,
  ) {}

  /** Requires the proof of {@link prove} if `STEP_UP` is on. */
  async confirm(caller: Caller, proof: StepUpProof | undefined, codesFrom?: 'authenticator'): Promise<void> {
    if (this.settings.stepUp) await this.prove(caller, proof ?? NO_PROOF, codesFrom);
  }

  /**
   * As {@link confirm}, for a change that needs the proof or not. `needs` decides it before the transaction,
   * by the body and the stored record, and may throw what these show to be refused. What changes meanwhile is
   * not asked again. Only a login is asked: whatever needs the proof is refused to others.
   */
  async confirmIf(
    caller: Caller,
    proof: StepUpProof | undefined,
    needs: () => boolean | Promise<boolean>,
  ): Promise<void> {
    if (caller.credential.kind !== 'login' || !this.settings.stepUp) return;
    if (await needs()) await this.prove(caller, proof ?? NO_PROOF);
  }

  /**
   * Throws 400 for a missing proof, 401 for a wrong one, which counts as {@link byCaller} says, and
   * 429 past the limits. Call it before the transaction of the change, so that a rollback does not undo the
   * count.
   */
  async prove(
    caller: Caller,
    { password, code }: StepUpProof,
    codesFrom: 'anywhere' | 'authenticator' = 'anywhere',
  ): Promise<void> {
    const user = await this.queries.row<ProvingUser>(USER, [caller.self]);
    if (user === undefined) throw badCredentials();
    const hasFactor = user.secondFactor === 'enabled';
    if (password === undefined || (hasFactor && code === undefined)) {
      throw new ValidationFailed({
        ...(password === undefined && { password: [REQUIRED] }),
        ...(hasFactor && code === undefined && { '6digitCode': [REQUIRED] }),
      });
    }
    const { username, passwordHash: stored } = user;
    const { ip: address } = caller;
    const knownClient = byCaller(caller);
    const { matches } = await this.passwords.check({ username, password, stored, address, knownClient });
    if (!matches) throw badCredentials();
    if (hasFactor) await this.codes.use(caller, { ...user, knownClient }, code, codesFrom);
  }
}
