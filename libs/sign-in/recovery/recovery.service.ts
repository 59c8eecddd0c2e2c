import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { UserEvents } from '@app/lifecycle/user-events';
import { ProvedNames } from '@app/people/users/proved-names';
import type { UserDetails } from '@app/people/users/user.columns';
import type { User } from '@app/people/users/user.entity';
import type { Language } from '@app/people/users/user.types';
import { storePasswordHash } from '@app/people/users/user-rows';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { queueJob } from '@app/platform/jobs/queue-job';
import { isSuspended } from '@app/security/access/access.queries';
import type { RequestContext } from '@app/security/context/request-context';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName } from '@app/security/passwords/password-rules';
import { digestOf } from '@app/security/secrets/digest';
import { NameRestorations } from './name-restorations';
import { type PasswordResetInput, recoveryExpired, type RecoveryRequestInput } from './recovery.types';
import { type RecoveryJob, recoveryLinkOf, WRITE_RECOVERY_MAIL } from './recovery-mail.handler';

/** A link that sets a password. */
export interface OpenLink {
  /** Whether the link also restores a changed name. */
  readonly restoresName: boolean;
  /** The user name after the use of the link. */
  readonly username: string;
  readonly language: Language;
}

const OPEN_LINK = prepared(`
  SELECT link.former_name IS NOT NULL AS "restoresName", coalesce(link.former_name, u.username) AS username, u.language
  FROM (
    SELECT user_id, token_digest, ended_at, expires_at, NULL AS former_name FROM recovery_requests
    UNION ALL
    SELECT user_id, token_digest, ended_at, expires_at, former_name FROM name_restorations
  ) link JOIN users u ON u.id = link.user_id
  WHERE link.token_digest = $1 AND link.ended_at IS NULL AND link.expires_at > now()
    AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}`);

/** Locks the user's row before the request's, in the same order as every change of a user. */
const LOCK_USER = `
  SELECT u.id, u.organisation_id AS "organisationId", u.username
  FROM recovery_requests r JOIN users u ON u.id = r.user_id
  WHERE r.token_digest = $1 AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}
  FOR NO KEY UPDATE OF u`;

const USE_TOKEN = `
  WITH used AS (
    UPDATE recovery_requests SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now()
    RETURNING proves_name
  ) SELECT proves_name AS "provesName" FROM used`;

type LockedUser = Pick<User, 'id' | 'organisationId' | 'username'>;

interface ResettingUser extends LockedUser {
  readonly provesName: boolean;
}

/** Resets lost passwords. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly restorations: NameRestorations,
    private readonly settings: Settings,
    private readonly names: ProvedNames,
  ) {}

  /** Only queues a job, so that neither the response nor its duration reveals whether the user exists. */
  async ask(ctx: RequestContext, { username }: RecoveryRequestInput): Promise<void> {
    const payload: RecoveryJob = { username, link: recoveryLinkOf(this.settings) };
    await this.transactions.run(ctx, (manager) =>
      queueJob(manager, { task: WRITE_RECOVERY_MAIL, payload, priority: 'urgent' }),
    );
  }

  async reset(ctx: RequestContext, token: string, { password }: PasswordResetInput): Promise<UserDetails> {
    const { restoresName, username } = await this.openLinkOf(token);
    assertNotUserName(password, username);
    const passwordHash = await this.hasher.hash(password, ctx.client);
    const id = await this.transactions.run(ctx, (manager) =>
      restoresName
        ? this.restorations.restore(manager, token, passwordHash)
        : this.setPassword(manager, token, passwordHash),
    );
    return this.users.read(id);
  }

  /** Called before the password is hashed, so that only owners of a link cause that work. */
  async openLinkOf(token: string): Promise<OpenLink> {
    const link = await this.queries.row<OpenLink>(OPEN_LINK, [digestOf(token)]);
    if (link === undefined) throw recoveryExpired();
    return link;
  }

  /**
   * Each domain ends what belongs to it: logins, trusted devices, other reset links, recent
   * passkeys. API keys stay valid.
   */
  private async setPassword(manager: EntityManager, token: string, passwordHash: string): Promise<number> {
    const user = await this.useToken(manager, token);
    await storePasswordHash(manager, user.id, passwordHash);
    if (user.provesName) await this.names.prove(manager, user.id);
    else await this.names.keepRecovery(manager, user.id);
    const { id: userId, organisationId, username } = user;
    await this.events.announce(manager, { kind: 'passwordReset', userId, organisationId, username });
    return userId;
  }

  /** If several requests use one token, only one succeeds. */
  private async useToken(manager: EntityManager, token: string): Promise<ResettingUser> {
    const digest = digestOf(token);
    const [user] = await manager.query<LockedUser[]>(LOCK_USER, [digest]);
    if (user === undefined) throw recoveryExpired();
    const [used] = await manager.query<{ provesName: boolean }[]>(USE_TOKEN, [digest]);
    if (used === undefined) throw recoveryExpired();
    return { ...user, provesName: used.provesName };
  }
}
