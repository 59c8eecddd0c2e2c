import { Injectable } from '@nestjs/common';
import { isAdmin, type Caller } from '@app/core/access/caller';
import type { Client } from '@app/core/access/client';
import { endLogins, forgetDevices } from '@app/core/access/credential-revocation';
import { prepared, Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { newTotpSecret } from '@app/core/totp/totp';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { UsersService } from '@app/users/users.service';
import { SecondFactorDemanded } from '../auth.errors';
import type { LoggedIn, LoginAttempt, PasswordLogin } from '../auth.values';
import { LoginsService } from '../logins.service';
import { CodeChecks, secretContext } from './code-checks';
import { changeSecondFactor, refuseUnlessPossible } from './second-factor-changes';
import { TrustedDevices } from './trusted-devices';

const IS_REQUIRED = prepared(`SELECT required_2fa AS required FROM organisations WHERE id = $1`);

/** Setting two-factor login up and taking it off. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly sql: Sql,
    private readonly transactions: Transactions,
    private readonly logins: LoginsService,
    private readonly codes: CodeChecks,
    private readonly devices: TrustedDevices,
    private readonly keyring: SecretsKeyring,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** A fresh secret each time (base32): one that is in use is never shown, nor replaced. */
  async showSecret({ username, password }: PasswordLogin, client: Client): Promise<string> {
    const user = await this.logins.userWithPassword(username, password, client);
    const secret = newTotpSecret();
    const sealedSecret = this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run((manager) =>
      changeSecondFactor(manager, user.id, 'showSecret', { secret: sealedSecret }),
    );
    return secret;
  }

  /** Switches two-factor login on; the user's other logins, made without it, end. */
  async activate(attempt: LoginAttempt, client: Client): Promise<LoggedIn> {
    const user = await this.logins.userWithPassword(attempt.username, attempt.password, client);
    refuseUnlessPossible('activate', user.secondFactor);
    const { step, sealedSecret } = await this.codes.check(user, attempt.code);
    const { hash, deviceToken } = await this.transactions.run(async (manager) => {
      await changeSecondFactor(manager, user.id, 'activate', { step, checkedSecret: sealedSecret });
      await endLogins(manager, user.id);
      return {
        deviceToken:
          attempt.trustThisDevice === true ? await this.devices.trust(manager, user.id, client) : '',
        hash: await this.logins.issue(manager, { ...user, secondFactor: 'enabled' }, client),
      };
    });
    await this.codes.forgive(user.id);
    return { user: await this.users.read(user.id), hash, deviceToken };
  }

  async cancel({ username, password }: PasswordLogin, client: Client): Promise<void> {
    const user = await this.logins.userWithPassword(username, password, client);
    await this.transactions.run((manager) => changeSecondFactor(manager, user.id, 'cancel'));
  }

  /** From the next login on, the user has to set two-factor login up. */
  async request(userId: number): Promise<void> {
    await this.transactions.run((manager) => changeSecondFactor(manager, userId, 'request'));
  }

  /** Takes the second factor off, with its secret and the trusted devices. */
  async switchOff(caller: Caller, organisationId: number, userId: number): Promise<void> {
    if (caller.userId === userId && !isAdmin(caller)) {
      const organisation = await this.sql.row<{ required: boolean }>(IS_REQUIRED, [organisationId]);
      if (organisation?.required === true) throw new SecondFactorDemanded();
    }
    const { username } = await this.users.read(userId);
    await this.transactions.run(async (manager) => {
      const before = await changeSecondFactor(manager, userId, 'switchOff');
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
      });
    });
  }
}
