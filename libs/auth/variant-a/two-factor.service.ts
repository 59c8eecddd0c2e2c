import { Injectable } from '@nestjs/common';
import { isAdmin, type Caller } from '@app/core/access/caller';
import type { Client } from '@app/core/access/client';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { newTotpSecret } from '@app/core/totp/totp';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { CodeChecks, secretContext } from '@app/users/code-checks';
import { StepUp } from '@app/users/step-up';
import type { StepUpProof } from '@app/users/user.types';
import { UsersService } from '@app/users/users.service';
import { SecondFactorRequired } from '../auth.errors';
import type { LoggedIn, LoginInput, PasswordLogin } from '../auth.types';
import { forgetDevices } from '../device-trust';
import { endLogins } from '../login-endings';
import { LoginsService } from '../logins.service';
import { changeSecondFactor, assertTransitionPossible } from './second-factor-changes';
import { TrustedDevices } from './trusted-devices';

const IS_REQUIRED = prepared(`SELECT required_2fa AS required FROM organisations WHERE id = $1`);

/** Setting two-factor login up and taking it off. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly logins: LoginsService,
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
    private readonly keyring: SecretsKeyring,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
    private readonly stepUp: StepUp,
  ) {}

  /** A fresh secret each time (base32): one that is in use is never shown, nor replaced. */
  async showSecret(login: PasswordLogin, client: Client): Promise<string> {
    const user = await this.logins.userWithPassword(login, client);
    const secret = newTotpSecret();
    const sealedSecret = this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run((manager) =>
      changeSecondFactor(manager, user.id, 'showSecret', { secret: sealedSecret }),
    );
    return secret;
  }

  /** Switches two-factor login on; the user's other logins, made without it, end. */
  async activate(input: LoginInput, client: Client): Promise<LoggedIn> {
    const user = await this.logins.userWithPassword(input, client);
    assertTransitionPossible('activate', user.secondFactor);
    const { step, sealedSecret } = await this.codes.check(user, input.code);
    const { hash, deviceToken } = await this.transactions.run(async (manager) => {
      await changeSecondFactor(manager, user.id, 'activate', { step, checkedSecret: sealedSecret });
      await endLogins(manager, user.id);
      return {
        deviceToken: input.trustThisDevice === true ? await this.devices.trust(manager, user.id, client) : '',
        hash: await this.logins.issue(manager, { ...user, secondFactor: 'enabled' }, client),
      };
    });
    await this.codes.reset(user);
    return { user: await this.users.read(user.id), hash, deviceToken };
  }

  async cancel(login: PasswordLogin, client: Client): Promise<void> {
    const user = await this.logins.userWithPassword(login, client);
    await this.transactions.run((manager) => changeSecondFactor(manager, user.id, 'cancel'));
  }

  /** From the next login on, the user has to set two-factor login up. */
  async request(userId: number): Promise<void> {
    await this.transactions.run((manager) => changeSecondFactor(manager, userId, 'request'));
  }

  /** Takes the second factor off, with its secret and the trusted devices; `proof` is asked of users themselves. */
  async disable(
    caller: Caller,
    { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
    proof: StepUpProof | undefined,
    address: string,
  ): Promise<void> {
    if (caller.userId === userId) await this.stepUp.confirm(caller, proof, address);
    if (caller.userId === userId && !isAdmin(caller)) {
      const organisation = await this.queries.row<{ required: boolean }>(IS_REQUIRED, [organisationId]);
      if (organisation?.required === true) throw new SecondFactorRequired();
    }
    const { username } = await this.users.read(userId);
    await this.transactions.run(async (manager) => {
      const before = await changeSecondFactor(manager, userId, 'disable');
      await forgetDevices(manager, userId);
      if (before === 'disabled') return;
      await this.notifications.record(manager, {
        organisationId,
        group: 'System',
        type: '2fa_disabled',
        entityClass: 'User',
        entityId: userId,
        entityName: username,
        userId: caller.userId,
        aboutUserId: userId,
      });
    });
  }
}
