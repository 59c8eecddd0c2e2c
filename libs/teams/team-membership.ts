import type { EntityManager } from 'typeorm';

/**
 * Makes a user a member of those of the teams that exist in the organisation; being one already is fine. Teams
 * that an invitation names may be gone by the time that it is used: they are passed over.
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
