import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSuspended } from '@app/access/suspended';
import { forgetDevices } from '@app/auth/device-trust';
import { endLogins } from '@app/auth/login-endings';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { queueJob } from '@app/core/jobs/queue-job';
import { userOf } from '@app/core/passwords/hashing-origins';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { digestOf } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { storePasswordHash } from '@app/users/password-storage';
import type { User } from '@app/users/user.entity';
import type { UserDetails } from '@app/users/user.types';
import { UsersService } from '@app/users/users.service';
import { NameRestorations } from './name-restorations';
import { endRecovery } from './recovery-ending';
import { recoveryLinkOf, WRITE_RECOVERY_MAIL, type RecoveryJob } from './recovery-mail.handler';
import { RecoveryExpired } from './recovery.errors';
import type { PasswordReset, RecoveryRequestInput } from './recovery.types';

/** Whose password an open link sets. */
interface TokenOwner {
  readonly userId: number;
  readonly organisationId: number;
  /** Whether the link gives a changed name back too. */
  readonly restoresName: boolean;
}

const TOKEN_OWNER = prepared(`
  SELECT u.id AS "userId", u.organisation_id AS "organisationId", link.restores_name AS "restoresName"
  FROM (
    SELECT user_id, token_digest, ended_at, expires_at, false AS restores_name FROM recovery_requests
    UNION ALL
    SELECT user_id, token_digest, ended_at, expires_at, true FROM name_restorations
  ) link JOIN users u ON u.id = link.user_id
  WHERE link.token_digest = $1 AND link.ended_at IS NULL AND link.expires_at > now()
    AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}`);

/** The user's row is locked before the request's, as every change of a user does. */
const LOCK_USER = `
  SELECT u.id, u.organisation_id AS "organisationId", u.username
  FROM recovery_requests r JOIN users u ON u.id = r.user_id
  WHERE r.token_digest = $1 AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}
  FOR NO KEY UPDATE OF u`;

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
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
    private readonly restorations: NameRestorations,
    private readonly settings: Settings,
  ) {}

  /** Only writes the wish down, so that neither answer nor time tells whether there is such a user. */
  async ask({ username }: RecoveryRequestInput): Promise<void> {
    const payload: RecoveryJob = { username, link: recoveryLinkOf(this.settings) };
    await this.transactions.run((manager) =>
      queueJob(manager, { task: WRITE_RECOVERY_MAIL, payload, priority: 'urgent' }),
    );
  }

  async reset(token: string, { password }: PasswordReset): Promise<UserDetails> {
    const { userId, organisationId, restoresName } = await this.ownerOf(token);
    const passwordHash = await this.hasher.hash(password, userOf(organisationId, userId));
    const id = await this.transactions.run((manager) =>
      restoresName
        ? this.restorations.restore(manager, token, passwordHash)
        : this.setPassword(manager, token, passwordHash),
    );
    return this.users.read(id);
  }

  /** The new password ends all logins, trusted devices and other reset links of the user. API keys go on. */
  private async setPassword(manager: EntityManager, token: string, passwordHash: string): Promise<number> {
    const user = await this.useToken(manager, token);
    await storePasswordHash(manager, user.id, passwordHash);
    await endRecovery(manager, [user.id]);
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
      aboutUserId: user.id,
    });
    return user.id;
  }

  /** Asked before the password is hashed, so that nobody without a link makes the service work. */
  private async ownerOf(token: string): Promise<TokenOwner> {
    const owner = await this.queries.row<TokenOwner>(TOKEN_OWNER, [digestOf(token)]);
    if (owner === undefined) throw new RecoveryExpired();
    return owner;
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
