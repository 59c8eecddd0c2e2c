import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type OfUser, UserEvents } from '@app/lifecycle/user-events';

/** SQL condition: the user with an alias has the name of a parameter, as its present or as its former one. */
export const hasName = (user: string, name: string): string =>
  `(fold_case(${user}.username) = fold_case(${name}) OR (${user}.former_username IS NOT NULL
    AND fold_case(${user}.former_username) = fold_case(${name}) AND former_name(${user}) IS NOT NULL))`;

/**
 * SQL condition: whoever registers with a token, or is made by an admin, cannot have the name of an
 * expression, because somebody has verified it, or has had it until a rename of the last 72 hours.
 */
export const isUnavailable = (name: string): string => `EXISTS (
    SELECT FROM users held WHERE held.deleted_at IS NULL AND ((fold_case(held.username) = fold_case(${name})
      AND held.username_verified) OR (held.former_username IS NOT NULL
      AND fold_case(held.former_username) = fold_case(${name}) AND held.renamed_at > now() - interval '72 hours')))`;

/** Serialises who takes a name and who gives it. */
export const LOCK_NAME = `pg_advisory_xact_lock(hashtextextended('user name ' || fold_case($1), 0))`;

/**
 * Users who have the name $1 unverified, and, if $2, users whose former name it is after their 72 hours.
 * Locks them in the order of their ids, as deletions do.
 */
const LOCK_HOLDERS = `
  SELECT u.id AS "userId", u.organisation_id AS "organisationId", fold_case(u.username) = fold_case($1) AS holds
  FROM users u WHERE u.deleted_at IS NULL AND NOT u.username_verified AND (fold_case(u.username) = fold_case($1)
    OR ($2 AND u.former_username IS NOT NULL AND fold_case(u.former_username) = fold_case($1)
      AND u.renamed_at <= now() - interval '72 hours'))
  ORDER BY u.id FOR NO KEY UPDATE`;

/** The holders $1 have their former names again, or names that no mailbox can have. */
const GIVE_BACK = `
  WITH given AS (
    UPDATE users SET username = coalesce(former_username, 'user-' || id || '@name.invalid'),
      username_verified = former_username IS NOT NULL, former_username = NULL, renamed_at = NULL
    WHERE id = ANY ($1::integer[]) RETURNING id, organisation_id, username
  ) SELECT id AS "userId", organisation_id AS "organisationId", username FROM given ORDER BY id`;

const FORGET_FORMER = `UPDATE users SET former_username = NULL WHERE id = ANY ($1::integer[])`;

interface Holder extends Omit<OfUser, 'username'> {
  readonly holds: boolean;
}

/** Frees names for those who may take one that nobody has verified (rule recovery 31). */
@Injectable()
export class UnavailableNames {
  constructor(private readonly events: UserEvents) {}

  /**
   * Frees a name for somebody who registers with a token, or whom an admin makes. Whoever has verified it
   * keeps it: the constraint refuses the new user. Call it before rows of other tables are locked.
   * @param options `withToken`: it takes a former name too, whose 72 hours are over
   */
  async free(
    manager: EntityManager,
    name: string,
    { withToken }: { readonly withToken: boolean },
  ): Promise<void> {
    await manager.query(`SELECT ${LOCK_NAME}`, [name]);
    const users = await manager.query<Holder[]>(LOCK_HOLDERS, [name, withToken]);
    if (users.length === 0) return;
    const idsOf = (holds: boolean) =>
      users.filter((user) => user.holds === holds).map(({ userId }) => userId);
    await manager.query(FORGET_FORMER, [idsOf(false)]);
    const holders = await manager.query<OfUser[]>(GIVE_BACK, [idsOf(true)]);
    await this.events.announce(manager, { kind: 'nameTaken', holders });
  }
}
