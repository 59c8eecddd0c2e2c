import type { EntityManager } from 'typeorm';
import { AccessDenied } from '@app/platform/errors/api-error';
import { isSuspended, type UsedGrant } from './access.queries';
import type { PresentedCredential } from './access.types';
import { isChosenByGrant } from './chosen-users';

/** SQL for a user of the grantee. */
export interface GrantUser {
  readonly id: string;
  readonly isCustadmin: string;
}

/** SQL condition: the grant has not ended. `now()` is the beginning of the transaction. */
export const isInForce = (grant: string, at: 'now()' | 'clock_timestamp()' = 'now()'): string =>
  `(${grant}.expires_at IS NULL OR ${grant}.expires_at > ${at})`;

/**
 * SQL condition: the user uses the grant, which has not ended. It applies to sets of users and organisations;
 * the database function `used_grant` has the same rule for one user and one organisation.
 *
 * @param isHeld SQL condition: the giver is suspended
 */
export const isUsedBy = (
  grant: string,
  { id, isCustadmin }: GrantUser,
  isHeld = isSuspended(`${grant}.organisation_id`),
): string => `(${isInForce(grant)}
    AND (${grant}.access = 'read' AND NOT ${grant}.only_teams OR ${isCustadmin} OR EXISTS (
      SELECT FROM acl_teams t JOIN team_members m ON m.team_id = t.team_id
      WHERE t.acl_id = ${grant}.id AND m.user_id = ${id}))
    AND NOT EXISTS (SELECT FROM users chosen WHERE chosen.id = ${id} AND ${isChosenByGrant('chosen')})
    AND NOT ${isHeld})`;

/**
 * Changes that end the grant $1, or its use by the user $2, wait for this transaction, and so do those by
 * which it rests. Locks in the order of deletions.
 */
const LOCK = `
  WITH person AS (SELECT FROM users WHERE id = $2 FOR SHARE),
    memberships AS (SELECT FROM acl_teams JOIN team_members m USING (team_id)
      WHERE acl_id = $1 AND user_id = $2 FOR SHARE OF m),
    given AS (SELECT organisation_id FROM acls WHERE id = $1 FOR SHARE)
  SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM memberships), (SELECT hold_standing(organisation_id) FROM given)`;

/** Call it before other rows are locked that the end of a grant changes. */
export async function lockUseOfGrant(manager: EntityManager, userId: number, id: number): Promise<void> {
  await manager.query(LOCK, [id, userId]);
}

const USED = `
  SELECT used_grant(u.id, u.organisation_id, a.organisation_id, $3, $4) AS used
  FROM acls a, users u WHERE a.id = $1 AND ${isInForce('a', 'clock_timestamp()')}
    AND u.id = $2 AND u.enabled AND u.deleted_at IS NULL`;

/**
 * For a write by a grant, after its work and {@link lockUseOfGrant}. Throws 403 if the grant, or its use by
 * the user, has ended meanwhile.
 */
export async function assertGrantUsed(
  manager: EntityManager,
  userId: number,
  credential: PresentedCredential,
  id: number,
): Promise<void> {
  const values = [id, userId, credential.kind, credential.id];
  const [row] = await manager.query<{ used: UsedGrant | null }[]>(USED, values);
  if (row?.used?.access !== 'manage' || row.used.lacksSecondFactor) throw new AccessDenied();
}
