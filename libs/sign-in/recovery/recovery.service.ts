import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { networkOf } from '@app/formats/ip-address';
import { type OfUser, UserEvents } from '@app/lifecycle/user-events';
import type { UserDetails } from '@app/people/users/user.columns';
import type { Language } from '@app/people/users/user.types';
import { resetUser } from '@app/people/users/user-rows';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { queueJob } from '@app/platform/jobs/queue-job';
import { isSuspended } from '@app/security/access/access.queries';
import type { RequestContext } from '@app/security/context/request-context';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName, PRESENT_PASSWORD } from '@app/security/passwords/password-rules';
import { digestOf } from '@app/security/secrets/digest';
import { type PasswordResetInput, recoveryExpired, type RecoveryRequestInput } from './recovery.types';
import { type RecoveryJob, recoveryLinkOf, WRITE_RECOVERY_MAIL } from './recovery-mail.handler';
import { useLink } from './recovery-requests';

/**
 * A reset that gives the former name back ends what was added to the account later than this time before the
 * rename (rule recovery 27): a thief may have prepared it.
 */
const UNTRUSTED_BEFORE = '7 days';

/** A link that sets a password. */
export interface OpenLink {
  /** The user name after the use of the link. */
  readonly username: string;
  /** Whether that is a former name, which the user has no more. */
  readonly givesBack: boolean;
  readonly language: Language;
}

/**
 * SQL conditions on the user `u` and the link `r` with the token digest $1: the link gives a name that is
 * still the user's, or its former one. A rename ends no link (rule recovery 26).
 */
const IS_OPEN = `r.token_digest = $1 AND r.kind = 'reset' AND r.ended_at IS NULL AND r.expires_at > now()
    AND fold_case(r.username) IN (fold_case(u.username), fold_case(former_name(u)))
    AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}`;

/** The name that the link gives, in the spelling of the user. */
const NAME = `CASE WHEN fold_case(r.username) = fold_case(u.username) THEN u.username ELSE former_name(u) END`;

const GIVES_BACK = 'fold_case(r.username) <> fold_case(u.username)';

const OPEN_LINK = prepared<OpenLink>(`
  SELECT ${NAME} AS username, ${GIVES_BACK} AS "givesBack", u.language
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE ${IS_OPEN}`);

const PRESENT_HASH = prepared<{ passwordHash: string }>(`
  SELECT u.password_hash AS "passwordHash" FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE ${IS_OPEN}`);

/**
 * Sets the password $2 and the name whose mailbox got the mail. Locks the user's row before the request's, in
 * the same order as every change of a user.
 */
const RESET = `
  WITH reset AS (${resetUser(`
      SELECT u.id, ${NAME} AS name, u.renamed_at, ${GIVES_BACK} AS gives_back
      FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE ${IS_OPEN} FOR NO KEY UPDATE OF u`)}
  )
  SELECT id AS "userId", organisation_id AS "organisationId", username,
    CASE WHEN gives_back THEN renamed_at - interval '${UNTRUSTED_BEFORE}' END AS "untrustedSince"
  FROM reset`;

interface ResetUser extends OfUser {
  /** Null: the user had the name already. */
  readonly untrustedSince: Date | null;
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
    private readonly settings: Settings,
  ) {}

  /** Only queues a job, so that neither the response nor its duration reveals whether the user exists. */
  async ask(ctx: RequestContext, { username }: RecoveryRequestInput): Promise<void> {
    const payload: RecoveryJob = {
      username,
      network: networkOf(ctx.ip),
      link: recoveryLinkOf(this.settings),
    };
    await this.transactions.run(ctx, (manager) =>
      queueJob(manager, { task: WRITE_RECOVERY_MAIL, payload, priority: 'urgent' }),
    );
  }

  async reset(ctx: RequestContext, token: string, { password }: PasswordResetInput): Promise<UserDetails> {
    const { username } = await this.openLinkOf(token);
    assertNotUserName(password, username);
    const passwordHash = await this.hasher.hash(password, ctx.client);
    const id = await this.transactions.run(ctx, (manager) => this.setPassword(manager, token, passwordHash));
    return this.users.read(id);
  }

  /**
   * Throws 400 for the present password, which may be why the link was asked for. Whoever has the link may
   * learn whether a password is the present one.
   */
  async assertOther(ctx: RequestContext, token: string, { password }: PasswordResetInput): Promise<void> {
    const user = await this.queries.row(PRESENT_HASH, [digestOf(token)]);
    if (user === undefined) throw recoveryExpired();
    const { matches } = await this.hasher.verify(password, user.passwordHash, ctx.client);
    if (matches) throw ValidationFailed.on('password', PRESENT_PASSWORD);
  }

  /** Called before the password is hashed, so that only owners of a link cause that work. */
  async openLinkOf(token: string): Promise<OpenLink> {
    const link = await this.queries.row(OPEN_LINK, [digestOf(token)]);
    if (link === undefined) throw recoveryExpired();
    return link;
  }

  /**
   * Each domain ends what belongs to it: logins, trusted devices, other reset links, recent passkeys; and, if
   * the former name is given back, what was added to the account since. If several requests use one token,
   * only one succeeds.
   */
  private async setPassword(manager: EntityManager, token: string, passwordHash: string): Promise<number> {
    const digest = digestOf(token);
    const [user] = await manager.query<ResetUser[]>(RESET, [digest, passwordHash]);
    if (user === undefined) throw recoveryExpired();
    if (!(await useLink(manager, digest))) throw recoveryExpired();
    const { untrustedSince, ...ofUser } = user;
    await this.events.announce(manager, {
      kind: 'passwordReset',
      ...ofUser,
      untrustedSince: untrustedSince ?? undefined,
    });
    return user.userId;
  }
}
