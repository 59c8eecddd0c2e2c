import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/caller';
import { assertByPerson } from '@app/security/access/for-people';
import { grantDoesNotCover } from '@app/security/access/granted-access';
import { isInForce } from '@app/security/access/used-grant';
import type { TeamEntityTie } from './team.types';

/** SQL condition: a grant of another organisation names the team `t`, so that its members use the grant. */
const USES_GRANT = `EXISTS (SELECT FROM acl_teams named JOIN acls a ON a.id = named.acl_id
      WHERE named.team_id = t.id AND ${isInForce('a')})`;

const ADD = `
  INSERT INTO team_members (team_id, user_id)
  SELECT t.id, $2 FROM teams t
  WHERE t.organisation_id = $1 AND t.id = ANY ($3::integer[]) AND NOT ($4::boolean AND ${USES_GRANT})
  ORDER BY t.id FOR KEY SHARE OF t
  ON CONFLICT DO NOTHING`;

/**
 * Makes a user a member of teams of the organisation. Skips teams that the user is in already, and teams that
 * do not exist, because teams of an invitation may be deleted before its use. For an invitation by a key,
 * `byKey` skips teams that use a grant by now.
 */
export async function addToTeams(
  manager: EntityManager,
  organisationId: number,
  userId: number,
  teamIds: readonly number[],
  { byKey = false }: { readonly byKey?: boolean } = {},
): Promise<void> {
  if (teamIds.length === 0) return;
  await manager.query(ADD, [organisationId, userId, [...teamIds], byKey]);
}

const USING_GRANT = `SELECT FROM teams t WHERE t.id = ANY ($1::integer[]) AND ${USES_GRANT} LIMIT 1`;

/** Only people with a login choose who uses a grant of another organisation (rule grants 44). */
export async function assertMayAddMembers(
  manager: EntityManager,
  caller: Pick<Caller, 'credential'>,
  teamIds: readonly number[],
): Promise<void> {
  if (caller.credential.kind === 'login' || teamIds.length === 0) return;
  const found = await manager.query<object[]>(USING_GRANT, [[...teamIds]]);
  if (found.length > 0) assertByPerson(caller, 'add members to a team that uses a grant');
}

const OF_OTHERS = `
  SELECT FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
  WHERE t.id = $1 AND r.organisation_id <> t.organisation_id`;

/** By a grant nobody takes records of other organisations out of the grantor's teams (rule grants 24). */
export async function assertOwnRecord(
  manager: EntityManager,
  { grant }: Pick<Caller, 'grant'>,
  teamId: number,
  { kind, objectId }: Omit<TeamEntityTie, 'id'>,
): Promise<void> {
  if (grant === undefined) return;
  const found = await manager.query<object[]>(OF_OTHERS, [teamId, kind, objectId]);
  if (found.length > 0) throw grantDoesNotCover();
}
