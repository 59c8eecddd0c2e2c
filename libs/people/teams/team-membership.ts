import type { EntityManager } from 'typeorm';

/**
 * Makes a user a member of teams of the organisation. Skips teams that the user is in already, and teams that do not exist,
 * because teams of an invitation may be deleted before its use.
 */
export async function addToTeams(
  manager: EntityManager,
  organisationId: number,
  userId: number,
  teamIds: readonly number[],
): Promise<void> {
  if (teamIds.length === 0) return;
  await manager.query(
    `INSERT INTO team_members (team_id, user_id)
     SELECT id, $2 FROM teams WHERE organisation_id = $1 AND id = ANY ($3::integer[])
     ORDER BY id FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [organisationId, userId, [...teamIds]],
  );
}
