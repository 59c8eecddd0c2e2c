import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type UnverifiedNameSent, UserEvents, type UserRenamed } from '@app/lifecycle/user-events';
import { brokenRule } from '@app/platform/dto/text-rules';
import { found, ValidationFailed } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/impersonation';
import { mailboxOf } from './mailboxes';
import { UsersShapes } from './shapes/users.shapes';
import { LOCK_NAME } from './unavailable-names';
import type { User } from './user.entity';
import { apiKeyRenames } from './user.types';
import { IS_NOT_RESERVED, IS_OWN_NAME } from './user-names';

/**
 * Locks the name $2, then the user $1: the second of two concurrent changes sees what the first has set.
 * Whoever frees the name locks in the same order.
 */
const LOCK = `
  WITH named AS MATERIALIZED (SELECT ${LOCK_NAME.replace('$1', '$2')})
  SELECT u.organisation_id AS "organisationId", u.username, u.username_verified AS "usernameVerified", u.roles,
    u.password_hash AS "passwordHash", former_name(u) AS "formerName",
    coalesce(u.renamed_at > now() - interval '72 hours', false) AS "isRenamedLately"
  FROM named, users u WHERE u.id = $1 AND u.deleted_at IS NULL FOR NO KEY UPDATE OF u`;

/** A user whose row is locked. */
export interface LockedUser extends Pick<
  User,
  'organisationId' | 'username' | 'usernameVerified' | 'roles' | 'passwordHash'
> {
  readonly formerName: string | null;
  /** The user renamed itself in the last 72 hours. */
  readonly isRenamedLately: boolean;
}

/** Who gives a new name. */
interface NameGiving {
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
}

/** The columns that a new name changes beside itself. Times are SQL; undefined keeps a column. */
interface NameColumns {
  readonly usernameVerified: boolean;
  readonly formerUsername?: string | null;
  readonly renamedAt?: (() => string) | null;
}

const NO_FORMER_NAME = { formerUsername: null, renamedAt: null } as const;

/**
 * What becomes of the former name of a user who gets a new one (rule recovery 17, rule recovery 19, rule
 * recovery 22).
 */
function columnsOf(user: LockedUser, newName: string, by: NameGiving): NameColumns {
  const { username, usernameVerified, formerName } = user;
  if (formerName?.toLowerCase() === newName.toLowerCase())
    return { usernameVerified: true, ...NO_FORMER_NAME };
  if (!by.isSelf) return { usernameVerified: by.isAdmin, ...NO_FORMER_NAME };
  if (formerName !== null || user.isRenamedLately) return { usernameVerified: false };
  return {
    usernameVerified: false,
    formerUsername: usernameVerified ? username : null,
    renamedAt: () => 'now()',
  };
}

/** Checks a new user name, and makes the changes that follow from it. */
@Injectable()
export class UsernameChanges {
  constructor(
    private readonly events: UserEvents,
    private readonly shapes: UsersShapes,
  ) {}

  /**
   * Whether it is another name, and no new spelling of the same. Throws what the name itself shows to be
   * refused.
   */
  isOther(
    caller: Pick<Caller, 'credential' | 'impersonator'>,
    formerName: string,
    newUsername: string,
  ): boolean {
    if (formerName === newUsername) return false;
    const isOther = formerName.toLowerCase() !== newUsername.toLowerCase();
    assertActsItself(caller);
    // Reset links go to the user name, and a key must not lead to a new password.
    if (isOther && caller.credential.kind !== 'login') throw apiKeyRenames();
    const rules = [this.shapes.newNameRules, ...(isOther ? [[IS_OWN_NAME, IS_NOT_RESERVED]] : [])];
    for (const broken of rules.map((some) => brokenRule(some, newUsername))) {
      if (broken !== undefined) throw ValidationFailed.on('username', broken);
    }
    return isOther;
  }

  /**
   * Locks the user, checks the new name before it is stored, and returns the columns to store with it. A new
   * spelling of the same name is no change.
   */
  async prepare(
    manager: EntityManager,
    caller: Pick<Caller, 'credential' | 'impersonator' | 'userId' | 'roles'>,
    userId: number,
    newUsername: string,
  ): Promise<PreparedName> {
    const { userId: actorId } = caller;
    const [locked] = await manager.query<LockedUser[]>(LOCK, [userId, newUsername]);
    const user = found(locked, 'User');
    const ofUser = { userId, organisationId: user.organisationId, username: newUsername };
    if (!this.isOther(caller, user.username, newUsername))
      return user.usernameVerified ? { user } : { user, event: { kind: 'unverifiedNameSent', ...ofUser } };
    const columns = columnsOf(user, newUsername, { isSelf: actorId === userId, isAdmin: isAdmin(caller) });
    const { usernameVerified: isVerified } = columns;
    const mailbox = await mailboxOf(manager, userId);
    return { user, columns, event: { kind: 'renamed', ...ofUser, mailbox, isVerified, actorId } };
  }

  /** Announces the stored name. Call it in the transaction that has stored it. */
  async announce(manager: EntityManager, { event }: PreparedName): Promise<void> {
    if (event !== undefined) await this.events.announce(manager, event);
  }
}

/** A locked user with a checked name. */
export interface PreparedName {
  readonly user: LockedUser;
  readonly columns?: NameColumns;
  readonly event?: UserRenamed | UnverifiedNameSent;
}
