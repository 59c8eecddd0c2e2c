import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OfUser } from '@app/lifecycle/user-events';
import { ProvedNames } from '@app/people/users/proved-names';
import { badCredentials } from '@app/people/users/user.types';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { isSuspended } from '@app/security/access/access.queries';
import type { RequestContext } from '@app/security/context/request-context';
import { PasswordChecks } from '@app/security/passwords/password-checks';
import { digestOf } from '@app/security/secrets/digest';
import {
  KNOWN_CLIENT_COLUMNS,
  type KnownClientColumns,
  knownClientOf,
  knownClientValues,
} from '@app/sign-in/auth/known-clients';
import { nameProofEnded, type NameProofInput, type OpenNameProof } from './name-proofs.types';

/**
 * SQL conditions on the user `u` and the link `p` with the token digest $1: the link proves the present name.
 */
const IS_OPEN = `p.token_digest = $1 AND p.ended_at IS NULL AND p.expires_at > now()
    AND u.enabled AND u.deleted_at IS NULL AND u.told_name IS NOT NULL AND fold_case(u.username) = fold_case(p.name)
    AND NOT ${isSuspended('u.organisation_id')}`;

interface ProvingUser extends OpenNameProof, KnownClientColumns {
  readonly id: number;
  readonly organisationId: number;
  readonly passwordHash: string;
}

const OPEN = prepared<ProvingUser>(`
  SELECT u.id, u.organisation_id AS "organisationId", u.username, u.language, u.password_hash AS "passwordHash",
    ${KNOWN_CLIENT_COLUMNS}
  FROM name_proofs p JOIN users u ON u.id = p.user_id WHERE ${IS_OPEN}`);

/** Locks the user's row before the link's, in the same order as every change of a user. */
const LOCK_USER = `
  SELECT u.id AS "userId", u.organisation_id AS "organisationId", u.username, u.password_hash AS "passwordHash"
  FROM name_proofs p JOIN users u ON u.id = p.user_id WHERE ${IS_OPEN} FOR NO KEY UPDATE OF u`;

const USE_TOKEN = `
  WITH used AS (
    UPDATE name_proofs SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now() RETURNING id
  ) SELECT id FROM used`;

interface LockedUser extends OfUser {
  readonly passwordHash: string;
}

/** What the reader of the mail to an unproved user name does with its link. */
@Injectable()
export class NameProofsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly passwords: PasswordChecks,
    private readonly names: ProvedNames,
  ) {}

  /** The open link of the token. Throws 400 for one that proves nothing any more. */
  async open(ctx: RequestContext, token: string): Promise<OpenNameProof> {
    const { username, language } = await this.userOf(ctx, token);
    return { username, language };
  }

  /**
   * Proves the name, and makes no login: the mailbox alone gives no account, and the password alone no name.
   * Wrong passwords count as at the login.
   */
  async prove(ctx: RequestContext, token: string, { password }: NameProofInput): Promise<void> {
    const user = await this.userOf(ctx, token);
    const { matches } = await this.passwords.check({
      username: user.username.toLowerCase(),
      password,
      stored: user.passwordHash,
      address: ctx.ip,
      knownClient: knownClientOf(user, { address: ctx.ip, deviceToken: undefined }),
    });
    if (!matches) throw badCredentials();
    await this.transactions.run(ctx, async (manager) => {
      const { userId, passwordHash } = await useToken(manager, token);
      // A login meanwhile replaces a hash of the previous panel; any other change asks for the new password.
      if (passwordHash !== user.passwordHash) throw badCredentials();
      await this.names.prove(manager, userId);
    });
  }

  /** Whoever reads the mails of the address is not the user, who gets the last proved name back. */
  async deny(ctx: RequestContext, token: string): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      await this.names.deny(manager, await useToken(manager, token));
    });
  }

  private async userOf(ctx: RequestContext, token: string): Promise<ProvingUser> {
    const presented = { address: ctx.ip, deviceToken: undefined };
    const user = await this.queries.row(OPEN, [digestOf(token), ...knownClientValues(presented)]);
    if (user === undefined) throw nameProofEnded();
    return user;
  }
}

/** If several requests use one token, only one succeeds. */
async function useToken(manager: EntityManager, token: string): Promise<LockedUser> {
  const digest = digestOf(token);
  const [user] = await manager.query<LockedUser[]>(LOCK_USER, [digest]);
  if (user === undefined) throw nameProofEnded();
  const used = await manager.query<unknown[]>(USE_TOKEN, [digest]);
  if (used.length === 0) throw nameProofEnded();
  return user;
}
