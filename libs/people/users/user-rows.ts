import type { EntityManager } from 'typeorm';
import { insertReturningId } from '@app/platform/database/transactions';
import { brokenRule } from '@app/platform/dto/text-rules';
import { NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';
import { User } from './user.entity';
import type { Language, SecondFactor } from './user.types';
import { PERSON_NAME_RULES } from './user-names';

/** Replaces the password hash of a user. */
export async function storePasswordHash(
  manager: EntityManager,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await manager.update(User, { id: userId }, { passwordHash });
}

/**
 * Replaces the checked password hash of a user. False if the stored hash is a different one by now: only one
 * of two concurrent changes or resets succeeds.
 */
export async function replacePasswordHash(
  manager: EntityManager,
  userId: number,
  checkedHash: string,
  passwordHash: string,
): Promise<boolean> {
  const checked = { id: userId, passwordHash: checkedHash };
  const { affected } = await manager.update(User, checked, { passwordHash });
  return affected === 1;
}

/**
 * SQL that sets the password hash $2 and the name of a query with `id`, `name`, `renamed_at` and
 * `gives_back` (rule recovery 25). The name is verified from now on, but for one that is no address and was
 * unverified: its mail went to a contact.
 */
export const resetUser = (given: string): string => `
    UPDATE users SET password_hash = $2, username = given.name, former_username = NULL, renamed_at = NULL,
      username_verified = users.username_verified OR given.name LIKE '%@%' OR given.gives_back
    FROM (${given}) given
    WHERE users.id = given.id
    RETURNING users.id, users.organisation_id, users.username, given.renamed_at, given.gives_back`;

/** SQL that verifies the user names of a query with ids. */
export const verifyUsernames = (ids: string): string =>
  `UPDATE users SET username_verified = true WHERE id IN (${ids}) RETURNING password_hash`;

/** Values to store together with a new state of the second factor. */
export interface SecondFactorChange {
  /** The new secret, encrypted. It resets the last accepted step. */
  readonly secret?: string;
  /** The step of the accepted code. */
  readonly step?: number;
  /** The encrypted secret that the code was checked against. It may have been replaced meanwhile. */
  readonly checkedSecret?: string;
}

/** The next state by present state. A state that is not listed does not change. */
export type SecondFactorTransitions = Readonly<Partial<Record<SecondFactor, SecondFactor>>>;

const CHANGE = `
  UPDATE users SET
    second_factor = $2::jsonb ->> before.second_factor,
    totp_secret = CASE WHEN $2::jsonb ->> before.second_factor <> 'disabled' THEN coalesce($3, users.totp_secret) END,
    totp_last_step = CASE WHEN $2::jsonb ->> before.second_factor <> 'disabled' AND $3::text IS NULL
      THEN coalesce($4, users.totp_last_step) END
  FROM (SELECT id, second_factor FROM users WHERE id = $1 FOR NO KEY UPDATE) before
  WHERE users.id = before.id AND users.deleted_at IS NULL AND jsonb_exists($2::jsonb, before.second_factor)
    AND ($5::text IS NULL OR users.totp_secret = $5)
  RETURNING before.second_factor AS "secondFactor"`;

/**
 * Makes one transition by one conditional UPDATE. Returns the former state, or
 * undefined without a transition.
 */
export async function storeSecondFactor(
  manager: EntityManager,
  userId: number,
  transitions: SecondFactorTransitions,
  change: SecondFactorChange,
): Promise<SecondFactor | undefined> {
  const [[changed]] = await manager.query<[{ secondFactor: SecondFactor }[], number]>(CHANGE, [
    userId,
    JSON.stringify(transitions),
    change.secret ?? null,
    change.step ?? null,
    change.checkedSecret ?? null,
  ]);
  return changed?.secondFactor;
}

/** A code that matched a secret. */
export interface AcceptedCode {
  readonly step: number;
  /** The encrypted secret that the code was checked against. */
  readonly checkedSecret: string;
  /** The secret, encrypted with the current key. */
  readonly secret: string;
}

const ACCEPT_STEP = `
  UPDATE users SET totp_last_step = $2, totp_secret = $4
  WHERE id = $1 AND second_factor = 'enabled' AND totp_secret = $3
    AND (totp_last_step IS NULL OR totp_last_step < $2)`;

/**
 * Stores the step and returns whether the code is accepted. A code works once over all nodes, and never if
 * its step is older than the last accepted one.
 */
export async function acceptStep(
  manager: EntityManager,
  userId: number,
  { step, checkedSecret, secret }: AcceptedCode,
): Promise<boolean> {
  const [, accepted] = await manager.query<[unknown[], number]>(ACCEPT_STEP, [
    userId,
    step,
    checkedSecret,
    secret,
  ]);
  return accepted === 1;
}

/**
 * Refuses new names that break the rules. Accepts stored names, because clients send
 * both names with every change.
 */
export async function assertNamesFit(
  manager: EntityManager,
  id: number,
  names: Readonly<Record<'firstName' | 'lastName', string>>,
): Promise<void> {
  const errors = (['firstName', 'lastName'] as const).flatMap((field) => {
    const found = brokenRule(PERSON_NAME_RULES, names[field]);
    return found === undefined ? [] : [{ field, found }];
  });
  if (errors.length === 0) return;
  const stored = await manager.findOneBy(User, { id });
  const wrong = errors.filter(({ field }) => stored?.[field] !== names[field]);
  if (wrong.length === 0) return;
  throw new ValidationFailed(Object.fromEntries(wrong.map(({ field, found }) => [field, [found]])));
}

/** A new user: enabled, without a second factor. */
export interface NewUser {
  readonly organisationId: number;
  /** An e-mail address, or a login name in Variant B. The request's shape has validated it. */
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly roles: readonly Role[];
  /** A bcrypt hash, or a crypt hash of the previous panel. */
  readonly passwordHash: string;
  readonly websiteOrderInformation?: string | null;
}

/** How a user came to be. */
interface NewUserOrigin {
  /** False for a user who registered without the token of the invitation. */
  readonly usernameVerified?: boolean;
}

/**
 * Inserts a user and returns the id. A name in use or a deleted organisation violates a
 * constraint, which becomes a 400.
 */
export function createUser(
  manager: EntityManager,
  user: NewUser,
  origin: NewUserOrigin = {},
): Promise<number> {
  return insertReturningId(manager, User, {
    ...user,
    roles: [...user.roles],
    ...origin,
  });
}

const LOCK_USER = `SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE`;

const LOCK_ORGANISATION = `SELECT 1 FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR SHARE`;

/**
 * Locks the owner of a new row against deletion, or throws 404 if it is deleted. A deletion also deletes the
 * owner's rows, so a row that is added after it would remain forever.
 */
export async function lockOwner(
  manager: EntityManager,
  { organisationId, userId = null }: { organisationId: number; userId?: number | null },
): Promise<void> {
  const [statement, id, name] =
    userId === null ? [LOCK_ORGANISATION, organisationId, 'Organisation'] : [LOCK_USER, userId, 'User'];
  const rows = await manager.query<unknown[]>(statement, [id]);
  if (rows.length === 0) throw new NotFound(name);
}
