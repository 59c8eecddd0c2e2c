import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/caller';
import { grantDoesNotCover } from '@app/security/access/granted-access';
import { isInForce } from '@app/security/access/used-grant';
import type { TeamEntityTie } from './team.types';

/** SQL condition: the team works for another organisation: it uses its grant, or holds its records. */
const WORKS_ELSEWHERE = `(
    EXISTS (SELECT FROM acl_teams used JOIN acls a ON a.id = used.acl_id
      WHERE used.team_id = t.id AND ${isInForce('a')})
    OR EXISTS (SELECT FROM team_entities e JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
      WHERE e.team_id = t.id AND r.organisation_id <> t.organisation_id))`;

const ADD = `
  INSERT INTO team_members (team_id, user_id)
  SELECT t.id, $2 FROM teams t
  WHERE t.organisation_id = $1 AND t.id = ANY ($3::integer[]) AND NOT ($4::boolean AND ${WORKS_ELSEWHERE})
  ORDER BY t.id FOR KEY SHARE OF t
  ON CONFLICT DO NOTHING`;

/**
 * Makes a user a member of teams of the organisation. Skips teams that the user is in already, and teams that
 * do not exist, because teams of an invitation may be deleted before its use. For a user whom a grantee
 * chose, `atHome` skips teams that work for a third organisation.
 */
export async function addToTeams(
  manager: EntityManager,
  organisationId: number,
  userId: number,
  teamIds: readonly number[],
  { atHome = false }: { readonly atHome?: boolean } = {},
): Promise<void> {
  if (teamIds.length === 0) return;
  await manager.query(ADD, [organisationId, userId, [...teamIds], atHome]);
}

const WORKING_ELSEWHERE = `SELECT FROM teams t WHERE t.id = ANY ($1::integer[]) AND ${WORKS_ELSEWHERE} LIMIT 1`;

/**
 * A user who manages the organisation by a grant must not choose members of teams that work for a third
 * organisation. The third organisation trusts this organisation, not people whom a grantee chooses.
 */
export async function assertMembersChosenAtHome(
  manager: EntityManager,
  { grant }: Pick<Caller, 'grant'>,
  teamIds: readonly number[],
): Promise<void> {
  if (grant === undefined || teamIds.length === 0) return;
  const found = await manager.query<object[]>(WORKING_ELSEWHERE, [[...teamIds]]);
  if (found.length > 0) throw grantDoesNotCover();
}

/** Nobody begins to use the team for a third organisation before the change is stored. */
const LOCK_TEAM = 'SELECT FROM teams WHERE id = $1 FOR UPDATE';

/**
 * A user who manages the organisation by a grant neither changes nor deletes a team that works for a third
 * organisation: that takes keys from its machines, or brings them there (rule grants 47).
 */
export async function assertTeamChangedAtHome(
  manager: EntityManager,
  caller: Pick<Caller, 'grant'>,
  teamId: number,
): Promise<void> {
  if (caller.grant === undefined) return;
  await manager.query(LOCK_TEAM, [teamId]);
  await assertMembersChosenAtHome(manager, caller, [teamId]);
}

const OF_THIRD = `
  SELECT FROM team_entities e JOIN teams t ON t.id = e.team_id
  JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
  WHERE e.team_id = $1 AND e.kind = $2 AND e.object_id = $3 AND r.organisation_id NOT IN (t.organisation_id, $4)`;

/**
 * By a grant nobody takes a record out of a team that belongs neither to the organisation of the
 * team nor to the caller's own.
 */
export async function assertRecordNotOfThird(
  manager: EntityManager,
  { grant, organisationId }: Pick<Caller, 'grant' | 'organisationId'>,
  teamId: number,
  { kind, objectId }: Omit<TeamEntityTie, 'id'>,
): Promise<void> {
  if (grant === undefined) return;
  const found = await manager.query<object[]>(OF_THIRD, [teamId, kind, objectId, organisationId]);
  if (found.length > 0) throw grantDoesNotCover();
}
