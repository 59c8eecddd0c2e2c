import { isSuspended } from './access.queries';
import { isChosenByGrant } from './chosen-users';

/** SQL for a user of the grantee. */
export interface GrantUser {
  readonly id: string;
  readonly isCustadmin: string;
}

/** SQL condition: the grant has not ended. */
export const isInForce = (grant: string): string =>
  `(${grant}.expires_at IS NULL OR ${grant}.expires_at > now())`;

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
