import { isSuspended } from '@app/security/access/access.queries';
import { isInForce } from '@app/security/access/used-grant';

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

/** SQL for a member of a team, and for what the member presents: kind and id of a credential, or of a key. */
export interface Worker {
  readonly id: string;
  readonly credential: string;
  readonly credentialId: string;
}

/**
 * SQL condition: a member of the team may do more with the registered entity `r` than see it
 * (rule grants 61). It belongs to the organisation of the team, or its owner gave a grant to manage that
 * names the team, and the member uses that grant with the second factor that the owner demands.
 */
export const isWorkedOnBy = (team: string, { id, credential, credentialId }: Worker): string =>
  `(${isOwnOf(team)} OR EXISTS (
        ${givenTo(team)} AND g.access = 'manage' AND ${isNamed(team)}
          AND NOT coalesce((used_grant(${id}, g.grantee_id, g.organisation_id, ${credential}, ${credentialId})
            ->> 'lacksSecondFactor')::boolean, true)))`;
