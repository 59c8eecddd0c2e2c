import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { endLogins, endRecovery, forgetDevices } from '@app/core/access/credential-revocation';
import { Transactions } from '@app/core/database/transactions';
import { queueJob } from '@app/core/jobs/queue-job';
import { PasswordHasher } from '@app/core/passwords/password-hashing';
import { digestOf } from '@app/core/secrets/digest';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { User } from '@app/users/user.entity';
import type { UserDetails } from '@app/users/user.values';
import { UsersService } from '@app/users/users.service';
import { WRITE_RECOVERY_MAIL, type RecoveryJob } from './recovery-mail.handler';
import { RecoveryExpired } from './recovery.errors';
import type { PasswordReset, RecoveryWish } from './recovery.values';

/** The user's row is locked before the request's, as every change of a user does. */
const LOCK_USER = `
  SELECT u.id, u.organisation_id AS "organisationId", u.username
  FROM recovery_requests r JOIN users u ON u.id = r.user_id
  WHERE r.token_digest = $1 AND u.enabled AND u.deleted_at IS NULL FOR NO KEY UPDATE OF u`;

const USE_TOKEN = `
  WITH used AS (
    UPDATE recovery_requests SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now() RETURNING id
  ) SELECT id FROM used`;

type ResettingUser = Pick<User, 'id' | 'organisationId' | 'username'>;

/** The way back in for whoever lost the password. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** Only writes the wish down, so that neither answer nor time tells whether there is such a user. */
  async ask({ username }: RecoveryWish): Promise<void> {
    const payload: RecoveryJob = { username };
    await this.transactions.run((manager) => queueJob(manager, { task: WRITE_RECOVERY_MAIL, payload }));
  }

  /** The new password ends all logins, trusted devices and other reset links of the user. API keys go on. */
  async reset(token: string, { password }: PasswordReset): Promise<UserDetails> {
    const passwordHash = await this.hasher.hash(password);
    const { id } = await this.transactions.run(async (manager) => {
      const user = await this.useToken(manager, token);
      await manager.update(User, { id: user.id }, { passwordHash });
      await endRecovery(manager, user.id);
      await endLogins(manager, user.id);
      await forgetDevices(manager, user.id);
      await this.notifications.record(manager, {
        organisationId: user.organisationId,
        group: 'System',
        type: 'password_changed',
        entityClass: 'User',
        entityId: user.id,
        entityName: user.username,
        userId: user.id,
      });
      return user;
    });
    return this.users.read(id);
  }

  /** One request gets through with a token, however many try at once. */
  private async useToken(manager: EntityManager, token: string): Promise<ResettingUser> {
    const digest = digestOf(token);
    const [user] = await manager.query<ResettingUser[]>(LOCK_USER, [digest]);
    if (user === undefined) throw new RecoveryExpired();
    const used = await manager.query<unknown[]>(USE_TOKEN, [digest]);
    if (used.length === 0) throw new RecoveryExpired();
    return user;
  }
}
