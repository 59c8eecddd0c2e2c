import { Injectable } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { verifyUsernames } from '@app/people/users/user-rows';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { isSuspended } from '@app/security/access/access.queries';
import { customerOf } from '@app/security/access/customers';
import type { RequestContext } from '@app/security/context/request-context';
import { PasswordChecks } from '@app/security/passwords/password-checks';
import { digestOf } from '@app/security/secrets/digest';
import {
  KNOWN_CLIENT_COLUMNS,
  type KnownClientColumns,
  knownClientOf,
  knownClientValues,
} from '@app/sign-in/auth/known-clients';
import { useLink } from '@app/sign-in/recovery/recovery-requests';
import { type OpenUsernameLink, usernameLinkEnded, type UsernameLinkInput } from './username-links.types';

/**
 * SQL conditions on the user `u` and the link `r` with the token digest $1: the link verifies the present
 * name.
 */
const IS_OPEN = `r.token_digest = $1 AND r.kind = 'name' AND r.ended_at IS NULL AND r.expires_at > now()
    AND u.enabled AND u.deleted_at IS NULL AND NOT u.username_verified
    AND fold_case(u.username) = fold_case(r.username) AND NOT ${isSuspended('u.organisation_id')}`;

interface VerifyingUser extends OpenUsernameLink, KnownClientColumns {
  readonly id: number;
  readonly organisationId: number;
  readonly customerId: number;
  readonly passwordHash: string;
}

const OPEN = prepared<VerifyingUser>(`
  SELECT u.id, u.organisation_id AS "organisationId", u.username, u.language, u.password_hash AS "passwordHash",
    ${customerOf('u.organisation_id')} AS "customerId", ${KNOWN_CLIENT_COLUMNS}
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE ${IS_OPEN}`);

/** Locks the user's row before the link's, in the same order as every change of a user. */
const VERIFY = `
  WITH verified AS (${verifyUsernames(
    `SELECT u.id FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE ${IS_OPEN} FOR NO KEY UPDATE OF u`,
  )}) SELECT password_hash AS "passwordHash" FROM verified`;

/** What the reader of the mail to an unverified user name does with its link. */
@Injectable()
export class UsernameLinksService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly passwords: PasswordChecks,
  ) {}

  /** The open link of the token. Throws 400 for one that verifies nothing any more. */
  async open(ctx: RequestContext, token: string): Promise<OpenUsernameLink> {
    const { username, language } = await this.userOf(ctx, token);
    return { username, language };
  }

  /**
   * Verifies the name, and makes no login: the mailbox alone gives no account, and the password alone no
   * name. Wrong passwords count as at the login. If several requests use one token, only one succeeds.
   */
  async verify(ctx: RequestContext, token: string, { password }: UsernameLinkInput): Promise<void> {
    const user = await this.userOf(ctx, token);
    const { matches } = await this.passwords.check({
      username: user.username.toLowerCase(),
      password,
      stored: user.passwordHash,
      address: ctx.ip,
      knownClient: knownClientOf(user, { address: ctx.ip, deviceToken: undefined }),
    });
    if (!matches) throw badCredentials();
    const digest = digestOf(token);
    await this.transactions.run(ctx, async (manager) => {
      const [verified] = await manager.query<{ passwordHash: string }[]>(VERIFY, [digest]);
      if (verified === undefined) throw usernameLinkEnded();
      // The password that was checked may be another one by now.
      if (verified.passwordHash !== user.passwordHash) throw badCredentials();
      if (!(await useLink(manager, digest))) throw usernameLinkEnded();
    });
  }

  private async userOf(ctx: RequestContext, token: string): Promise<VerifyingUser> {
    const presented = { address: ctx.ip, deviceToken: undefined };
    const user = await this.queries.row(OPEN, [digestOf(token), ...knownClientValues(presented)]);
    if (user === undefined) throw usernameLinkEnded();
    return user;
  }
}
