import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type UnprovedNameSent, UserEvents, type UserRenamed } from '@app/lifecycle/user-events';
import { brokenRule } from '@app/platform/dto/text-rules';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { assertNoSupport } from '@app/security/access/access-evaluation';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { type ProofColumns, proofColumnsOf, ProvedNames } from './proved-names';
import { UsersShapes } from './shapes/users.shapes';
import { User } from './user.entity';
import { apiKeyRenames } from './user.types';
import { IS_NOT_RESERVED, IS_OWN_NAME } from './user-names';

/** Checks a new user name, and makes the changes that follow from it. */
@Injectable()
export class UsernameChanges {
  constructor(
    private readonly events: UserEvents,
    private readonly shapes: UsersShapes,
    private readonly names: ProvedNames,
  ) {}

  /**
   * Whether it is another name, and no new spelling of the same. Throws what the name itself shows to be
   * refused.
   */
  isOther(
    { credential, grant }: Pick<Caller, 'credential' | 'grant'>,
    formerName: string,
    newUsername: string,
  ): boolean {
    if (formerName === newUsername) return false;
    const isOther = formerName.toLowerCase() !== newUsername.toLowerCase();
    assertNoSupport({ credential, grant });
    // Reset links go to the user name, and a key must not lead to a new password.
    if (isOther && credential.kind !== 'login') throw apiKeyRenames();
    const rules = [this.shapes.newNameRules, ...(isOther ? [[IS_OWN_NAME, IS_NOT_RESERVED]] : [])];
    for (const broken of rules.map((some) => brokenRule(some, newUsername))) {
      if (broken !== undefined) throw ValidationFailed.on('username', broken);
    }
    return isOther;
  }

  /**
   * Checks the new name before it is stored, and returns the columns to store with it. Undefined for a
   * name that the user has already; a new spelling of the same name is no change. Call it before the
   * transaction locks the user's row.
   */
  async prepare(
    manager: EntityManager,
    caller: Pick<Caller, 'credential' | 'grant' | 'userId' | 'roles'>,
    userId: number,
    newUsername: string,
  ): Promise<NewName | undefined> {
    const { userId: actorId } = caller;
    await this.names.lock(manager, newUsername);
    // The lock lets the second of two concurrent changes see the name that the first has set.
    const user = await manager.findOne(User, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
    if (user === null) return undefined;
    const { username: formerName, organisationId } = user;
    const isOtherName = this.isOther(caller, formerName, newUsername);
    const wasProved = user.toldName === null;
    const ofUser = { userId, organisationId, username: newUsername };
    if (!isOtherName) return wasProved ? undefined : { event: { kind: 'unprovedNameSent', ...ofUser } };
    const by = { isSelf: actorId === userId, isAdmin: isAdmin(caller) };
    const columns = proofColumnsOf(user, newUsername, by);
    const isProved = columns.toldName === null;
    const toldToo = user.nameGivenBy === 'self' && user.toldName !== '' ? user.toldName : null;
    return {
      columns,
      event: {
        kind: 'renamed',
        ...ofUser,
        formerName,
        wasProved,
        isProved,
        toldToo: toldToo ?? undefined,
        actorId,
      },
    };
  }

  /**
   * Announces the stored name. Reset links to the old name end, and the addresses get mails. Call it in the
   * transaction that has stored the name.
   */
  async announce(manager: EntityManager, name: NewName | undefined): Promise<void> {
    if (name !== undefined) await this.events.announce(manager, name.event);
  }
}

/** A checked user name. */
export interface NewName {
  readonly columns?: ProofColumns;
  readonly event: UserRenamed | UnprovedNameSent;
}

/** A restored user name with its new password. */
export interface RestoredAccount {
  readonly username: string;
  readonly passwordHash: string;
  /** Removes a second factor that was set up or requested after this time. */
  readonly since: Date;
}

const RESTORE = `
  UPDATE users u SET username = $2, password_hash = $3, told_name = NULL, name_given_by = NULL, renamed_at = NULL,
    second_factor = CASE WHEN factor.is_new THEN 'disabled' ELSE second_factor END,
    totp_secret = CASE WHEN NOT factor.is_new THEN totp_secret END,
    totp_last_step = CASE WHEN NOT factor.is_new THEN totp_last_step END
  FROM (SELECT coalesce(second_factor_changed_at >= $4, false) AS is_new FROM users WHERE id = $1) factor
  WHERE u.id = $1`;

/** Restores a former name of a user, which was proved. Lock the user's row first. */
export async function restoreUsername(
  manager: EntityManager,
  userId: number,
  { username, passwordHash, since }: RestoredAccount,
): Promise<void> {
  await manager.query(RESTORE, [userId, username, passwordHash, since]);
}
