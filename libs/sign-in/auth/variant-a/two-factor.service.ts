import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { CodeChecks } from '@app/people/users/code-checks';
import { StepUp } from '@app/people/users/step-up';
import { newTotpSecret, secretContext } from '@app/people/users/totp';
import { type SecondFactor, secondFactorMissing } from '@app/people/users/user.types';
import { type SecondFactorChange, storeSecondFactor } from '@app/people/users/user-rows';
import { UsersService } from '@app/people/users/users.service';
import { Transactions } from '@app/platform/database/transactions';
import { NotFound } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { AUTH_NOTIFICATIONS } from '../auth.notifications';
import {
  type LoggedIn,
  type LoginInput,
  type MadeRecoveryCodes,
  type PasswordLogin,
  secondFactorInvalid,
  secondFactorRequired,
} from '../auth.types';
import { endLogins } from '../login-endings';
import { LoginsService } from '../logins.service';
import { OtherFactors } from '../other-factors';
import { RecoveryCodes } from '../recovery-codes';
import { RightLogins } from '../right-logins';
import { forgetDevices, lacksDemandedFactor } from '../second-factor';
import { type SecondFactorEvent, transitionError, transitionsOf } from '../second-factor-states';
import { TrustedDevices } from './trusted-devices';

const PRESENT_STATE = `SELECT second_factor AS "secondFactor" FROM users WHERE id = $1 AND deleted_at IS NULL`;

/**
 * Makes the transition of an event by one conditional UPDATE and returns the former state. Otherwise throws
 * 400 if the stored state does not allow the event, or 401 if the secret of the code was replaced meanwhile.
 */
async function changeSecondFactor(
  manager: EntityManager,
  userId: number,
  event: SecondFactorEvent,
  change: SecondFactorChange = {},
): Promise<SecondFactor> {
  const before = await storeSecondFactor(manager, userId, transitionsOf(event), change);
  if (before !== undefined) return before;
  const [stored] = await manager.query<{ secondFactor: SecondFactor }[]>(PRESENT_STATE, [userId]);
  if (stored === undefined) throw new NotFound('User');
  assertTransitionPossible(event, stored.secondFactor);
  throw secondFactorMissing('CODE_INVALID');
}

/** Throws 400 if the state machine refuses the event. */
function assertTransitionPossible(event: SecondFactorEvent, state: SecondFactor): void {
  const refusal = transitionError(event, state);
  if (refusal !== undefined) throw secondFactorInvalid(refusal);
}

/** Sets two-factor login up and removes it. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly transactions: Transactions,
    private readonly logins: LoginsService,
    private readonly rightLogins: RightLogins,
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
    private readonly keyring: SecretsKeyring,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
    private readonly stepUp: StepUp,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly settings: Settings,
    private readonly others: OtherFactors,
  ) {}

  /**
   * Returns a new secret (base32) on each call. It never shows or replaces a secret in use.
   * @param authorization the header with the login of a user who has another second factor
   */
  async showSecret(
    ctx: RequestContext,
    login: PasswordLogin,
    authorization: string | undefined,
  ): Promise<string> {
    const user = await this.logins.userWithPassword(ctx, login);
    const secret = newTotpSecret();
    const encryptedSecret = this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run(ctx, async (manager) => {
      await changeSecondFactor(manager, user.id, 'showSecret', { secret: encryptedSecret });
      await this.assertMaySetUp(manager, user.id, authorization);
    });
    return secret;
  }

  /**
   * Enables two-factor login and ends the user's other logins, which were made without a second factor.
   * @param authorization as for {@link showSecret}
   */
  async activate(
    ctx: RequestContext,
    input: LoginInput,
    authorization: string | undefined,
  ): Promise<LoggedIn> {
    const user = await this.logins.userWithPassword(ctx, input);
    assertTransitionPossible('activate', user.secondFactor);
    // Before the code, so that nobody who may not set one up learns whether it is right.
    await this.transactions.run(ctx, (manager) => this.assertMaySetUp(manager, user.id, authorization));
    const { step, encryptedSecret } = await this.codes.check(user, input.code);
    // A right code is no guess, even where the same one has just switched two-factor login on.
    await this.codes.reset(user);
    const issued = await this.rightLogins.issue(ctx, user.id, async (manager) => {
      await changeSecondFactor(manager, user.id, 'activate', { step, checkedSecret: encryptedSecret });
      await this.assertMaySetUp(manager, user.id, authorization);
      await endLogins(manager, user.id);
      const deviceToken =
        input.trustThisDevice === true ? await this.devices.trust(ctx, manager, user.id) : '';
      const { hash } = await this.logins.issue(ctx, manager, { ...user, secondFactor: 'enabled' });
      await this.notifications.record(manager, AUTH_NOTIFICATIONS['2fa_enabled'], {
        organisationId: user.organisationId,
        entity: { id: user.id, name: input.username },
        userId: user.id,
        aboutUserId: user.id,
      });
      return { hash, deviceToken };
    });
    return { user: await this.users.read(user.id), ...issued };
  }

  private async assertMaySetUp(
    manager: EntityManager,
    userId: number,
    authorization: string | undefined,
  ): Promise<void> {
    const { loginIdleTtl: idleTtl } = this.settings;
    await this.others.assertPassed(manager, userId, { authorization, idleTtl });
  }

  async cancel(ctx: RequestContext, login: PasswordLogin): Promise<void> {
    const user = await this.logins.userWithPassword(ctx, login);
    await this.transactions.run(ctx, (manager) => changeSecondFactor(manager, user.id, 'cancel'));
  }

  /** The user must set up two-factor login at the next login. */
  async request(caller: Caller, userId: number): Promise<void> {
    await this.transactions.run(caller, (manager) => changeSecondFactor(manager, userId, 'request'));
  }

  /**
   * Removes the second factor, its secret and the trusted devices. Whoever removes it, of
   * whomever, needs the `proof`.
   */
  async disable(
    caller: Caller,
    { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
    proof: StepUpProof | undefined,
  ): Promise<void> {
    await this.stepUp.confirm(caller, proof);
    const { username } = await this.users.read(userId);
    await this.transactions.run(caller, async (manager) => {
      const before = await changeSecondFactor(manager, userId, 'disable');
      const isOwn = caller.userId === userId && !isAdmin(caller);
      if (isOwn && (await lacksDemandedFactor(manager, userId))) throw secondFactorRequired();
      await forgetDevices(manager, userId);
      if (before === 'disabled') return;
      await this.notifications.record(manager, AUTH_NOTIFICATIONS['2fa_disabled'], {
        organisationId,
        entity: { id: userId, name: username },
        userId: caller.userId,
        aboutUserId: userId,
      });
    });
  }

  /**
   * Replaces the caller's recovery codes. A recovery code is no sufficient proof, because one code
   * would then give a thief ten.
   */
  async makeRecoveryCodes(caller: Caller, proof: StepUpProof | undefined): Promise<MadeRecoveryCodes> {
    await this.stepUp.confirm(caller, proof, 'authenticator');
    return this.recoveryCodes.make(caller);
  }
}
