import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type NameDenied, type OfUser, UserEvents } from '@app/lifecycle/user-events';
import { attempted } from '@app/platform/database/savepoints';
import type { User } from './user.entity';
import type { NameGiver } from './user.types';

/** A column of names that are proved or not (rule recovery 55). */
export type NameState = Pick<User, 'username' | 'toldName' | 'nameGivenBy'>;

/**
 * SQL for the name by which other services know the user with an alias: the last
 * proved one, which may be empty.
 */
export const toldNameOf = (user: string): string => `coalesce(${user}.told_name, ${user}.username)`;

/** SQL condition: somebody has proved the present name of the user with an alias. */
export const isNameProved = (user: string): string => `${user}.told_name IS NULL`;

/** The columns of a new user whose name nobody has proved. */
export const UNPROVED_FROM_THE_START = {
  toldName: '',
  nameGivenBy: 'other' as const,
  renamedAt: (): string => 'now()',
};

/** The columns of a user whose present name is proved. */
const PROVED = { toldName: null, nameGivenBy: null, renamedAt: null };

/** What a new name changes in the columns about proofs. */
export type ProofColumns =
  | typeof PROVED
  | { readonly toldName: string; readonly nameGivenBy: NameGiver; readonly renamedAt: () => string };

/** Who gives a new name. */
export interface NameGiving {
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
}

/**
 * The columns of a user who gets a new name. The last proved name is still the user's, so it needs no proof.
 * A name without an address has no mailbox that could prove it: it is proved if an admin gives it.
 */
export function proofColumnsOf(user: NameState, newName: string, by: NameGiving): ProofColumns {
  const { toldName, nameGivenBy } = user;
  if (toldName !== null && toldName !== '' && toldName.toLowerCase() === newName.toLowerCase()) return PROVED;
  if (by.isAdmin && !newName.includes('@')) return PROVED;
  return {
    toldName: toldName ?? user.username,
    nameGivenBy: giverOf(nameGivenBy, by),
    renamedAt: () => 'now()',
  };
}

/** A user who corrects an unproved name of somebody else must not let the last proved address in again. */
function giverOf(before: NameGiver | null, { isSelf }: NameGiving): NameGiver {
  if (!isSelf) return 'other';
  return before === 'other' || before === 'both' ? 'both' : 'self';
}

const PROVE = `
  UPDATE users SET told_name = NULL, name_given_by = NULL, renamed_at = NULL
  WHERE id = $1 AND told_name IS NOT NULL
  RETURNING organisation_id AS "organisationId", username`;

/**
 * The name counts as new for ever. Recovery by a login name goes to a contact once the name is no longer new:
 * that says nothing of the last proved address.
 */
const KEEP_RECOVERY = `
  UPDATE users SET renamed_at = 'infinity'
  WHERE id = $1 AND name_given_by = 'self' AND (username LIKE '%@%' OR renamed_at > now() - interval '72 hours')`;

/** Serialises who takes a name and who gives it. */
const LOCK_NAME = `SELECT pg_advisory_xact_lock(hashtextextended('user name ' || fold_case($1), 0))`;

/**
 * Users who have the name $1 unproved, and users who are told by it and have another. Locks them in the order
 * of their ids, as deletions do.
 */
const LOCK_USERS = `
  SELECT id AS "userId", organisation_id AS "organisationId", username, fold_case(username) = fold_case($1) AS holds
  FROM users WHERE deleted_at IS NULL AND told_name IS NOT NULL AND id IN (
    SELECT id FROM users WHERE fold_case(username) = fold_case($1) AND deleted_at IS NULL
    UNION SELECT id FROM users WHERE fold_case(told_name) = fold_case($1) AND told_name <> '' AND deleted_at IS NULL)
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * Gives the user $1 the last proved name back. If there is none, the user has a name that no mailbox can
 * have, and nobody is told by it. So has a user whose lost name somebody else gave, unless a thief did ($2):
 * the account may have been handed over, and recovery would let the former owner in. Others go on to be told
 * the last proved name, which a manager may give again.
 */
const GIVE_BACK = `
  UPDATE users u SET
    username = CASE WHEN back.is_given THEN u.told_name ELSE 'user-' || u.id || '@name.invalid' END,
    told_name = CASE WHEN back.is_given THEN NULL WHEN back.is_free THEN u.told_name ELSE '' END,
    name_given_by = CASE WHEN NOT back.is_given THEN 'other' END,
    renamed_at = CASE WHEN NOT back.is_given THEN now() END
  FROM (
    SELECT is_free, is_free AND is_own AS is_given FROM (
    SELECT $2 OR h.name_given_by = 'self' AS is_own, h.told_name <> '' AND NOT EXISTS (
        SELECT FROM users o WHERE fold_case(o.username) = fold_case(h.told_name) AND o.id <> h.id AND o.deleted_at IS NULL)
      AND NOT EXISTS (SELECT FROM name_restorations r WHERE fold_case(r.former_name) = fold_case(h.told_name)
        AND r.user_id <> h.id AND r.ended_at IS NULL AND r.expires_at > now()) AS is_free
    FROM users h WHERE h.id = $1) former
  ) back
  WHERE u.id = $1 AND u.told_name IS NOT NULL
  RETURNING u.username`;

/** Whoever else than the user $2 has the name $1. */
const HOLDER = `
  SELECT id AS "userId", organisation_id AS "organisationId", username, told_name IS NULL AS "isProved"
  FROM users WHERE fold_case(username) = fold_case($1) AND id <> $2 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** The name is as unproved as it was. */
const RENAME_BACK = `UPDATE users SET username = $2, renamed_at = now() WHERE id = $1`;

/** Where recovery was kept at the name that is told no more, it goes to nobody for the time of a new name. */
const TELL_NO_NAME = `
  UPDATE users SET told_name = '', renamed_at = CASE WHEN renamed_at = 'infinity' THEN now() ELSE renamed_at END
  WHERE id = ANY ($1::integer[])`;

/** Whoever proves the name keeps the row locked until its name is proved. */
const LOCK_UNPROVED = `
  SELECT id FROM users WHERE id = $1 AND told_name IS NOT NULL AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** Names that a user had before an unproved one. */
export interface FormerName {
  readonly name: string;
  /** The last proved one; empty if there is none. */
  readonly provedName: string;
}

interface LockedUser extends OfUser {
  readonly holds: boolean;
}

/** Proves names, and takes over those that nobody has proved (docs/security.md). */
@Injectable()
export class ProvedNames {
  constructor(private readonly events: UserEvents) {}

  /** The present name of the user is proved from now on. Lock the user's row first. */
  async prove(manager: EntityManager, userId: number): Promise<void> {
    const [[proved]] = await manager.query<[Omit<OfUser, 'userId'>[], number]>(PROVE, [userId]);
    if (proved !== undefined) await this.events.announce(manager, { kind: 'nameProved', userId, ...proved });
  }

  /**
   * Whoever reads the last proved address has reset the password: recovery stays there until the name is
   * proved or somebody gives another. Lock the user's row first.
   */
  async keepRecovery(manager: EntityManager, userId: number): Promise<void> {
    await manager.query(KEEP_RECOVERY, [userId]);
  }

  /** Call it before a row of a user is locked: then nobody can give the name until the transaction ends. */
  async lock(manager: EntityManager, name: string): Promise<void> {
    await manager.query(LOCK_NAME, [name]);
  }

  /**
   * Frees a name for somebody whom its mailbox or an admin lets register by it. Whoever has proved it keeps
   * it: the constraint refuses the new user. Call it before rows of other tables are locked.
   */
  async free(manager: EntityManager, name: string): Promise<void> {
    await this.lock(manager, name);
    const users = await manager.query<LockedUser[]>(LOCK_USERS, [name]);
    const holders: OfUser[] = [];
    for (const { holds, ...user } of users) {
      if (holds) holders.push({ ...user, username: await giveBack(manager, user.userId) });
    }
    const told = users.filter(({ holds }) => !holds).map(({ holds, ...user }) => user);
    await manager.query(TELL_NO_NAME, [told.map(({ userId }) => userId)]);
    await this.events.announce(manager, { kind: 'nameTaken', name, holders, told });
  }

  /** The user has the last proved name again. Lock the user's row first. */
  async deny(manager: EntityManager, user: OfUser, why: NameDenied['why'] = 'mailbox'): Promise<void> {
    await this.announceDenied(manager, user, await giveBack(manager, user.userId), why);
  }

  /**
   * The user, whose present name nobody has proved, has the last proved name again, or if there is none
   * the one before. Whoever has that name unproved loses it. False if it is somebody else's, or if the
   * present one has been proved meanwhile. Lock the name and the user's row before other rows where you can:
   * otherwise it may have to wait for whoever proves the name, but it takes no proved name away.
   */
  async giveFormerBack(manager: EntityManager, user: OfUser, former: FormerName): Promise<boolean> {
    const name = former.provedName === '' ? former.name : former.provedName;
    const [holder] = await manager.query<(OfUser & { isProved: boolean })[]>(HOLDER, [name, user.userId]);
    if (holder?.isProved === true) return false;
    const unproved = await manager.query<object[]>(LOCK_UNPROVED, [user.userId]);
    if (unproved.length === 0) return false;
    return attempted(manager, async () => {
      if (holder !== undefined) await this.deny(manager, holder, 'takeover');
      if (former.provedName !== '') {
        const username = await giveBack(manager, user.userId, { isStolen: true });
        return this.announceDenied(manager, user, username, 'takeover');
      }
      await manager.query(RENAME_BACK, [user.userId, name]);
      await this.announceDenied(manager, user, name, 'takeover');
    });
  }

  private async announceDenied(
    manager: EntityManager,
    { userId, organisationId, username: formerName }: OfUser,
    username: string,
    why: NameDenied['why'],
  ): Promise<void> {
    await this.events.announce(manager, {
      kind: 'nameDenied',
      userId,
      organisationId,
      username,
      formerName,
      why,
    });
  }
}

/**
 * The name that the user has again.
 * @param options `isStolen`: a thief gave the name that the user loses
 */
async function giveBack(manager: EntityManager, userId: number, { isStolen = false } = {}): Promise<string> {
  const [[given]] = await manager.query<[{ username: string }[], number]>(GIVE_BACK, [userId, isStolen]);
  if (given === undefined) throw new Error(`user ${userId} has no unproved name`);
  return given.username;
}
