import { isSuspended } from '@app/security/access/access.queries';
import { isInForce, usesGrantOf } from '@app/security/access/used-grant';

/** SQL condition: the registered entity `r` belongs to the organisation of the team. */
export const isOwnOf = (team: string): string => `r.organisation_id = ${team}.organisation_id`;

/**
 * The grant `g` of the owner of the registered entity `r` to the organisation of the team is in
 * force, and the owner active.
 */
const givenTo = (team: string): string => `
        SELECT FROM acls g WHERE g.grantee_id = ${team}.organisation_id AND g.organisation_id = r.organisation_id
          AND ${isInForce('g')} AND NOT ${isSuspended('g.organisation_id')}`;

const isNamed = (team: string): string =>
  `EXISTS (SELECT FROM acl_teams named WHERE named.acl_id = g.id AND named.team_id = ${team}.id)`;

/**
 * SQL condition: the team may hold the registered entity `r`, and its members may see it. It belongs to the
 * organisation of the team, or its owner gave a grant that the team uses: one to read for all, or one that
 * names the team. The register has the kinds in the singular.
 */
export const isShownTo = (team: string): string => `(${isOwnOf(team)} OR EXISTS (
        ${givenTo(team)} AND (g.access = 'read' AND NOT g.only_teams OR ${isNamed(team)})))`;

/**
 * SQL condition: the SSH keys of the user, a member of the team, log in to the registered entity `r`
 * (rule grants 36). It belongs to the organisation of the team, or its owner gave a grant to manage that
 * names the team and that the user uses.
 */
export const isWorkedOnBy = (team: string, user: string): string =>
  `(${isOwnOf(team)} OR EXISTS (
        ${givenTo(team)} AND g.access = 'manage' AND ${isNamed(team)}
          AND ${usesGrantOf('g.organisation_id', {
            id: user,
            organisation: 'g.grantee_id',
            credential: `'ssh_key'`,
            credentialId: 'NULL',
          })}))`;
