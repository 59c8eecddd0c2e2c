import { nextNumber } from './factories';
import type { ReachableService } from './service';

/** A team with members, written straight to the database, and its id. */
export async function makeTeam(
  service: ReachableService,
  organisationId: number,
  { name = `Team ${nextNumber()}`, userIds = [] }: { name?: string; userIds?: readonly number[] } = {},
): Promise<number> {
  const [row] = await service.sql<{ id: number }>(
    'INSERT INTO teams (organisation_id, name) VALUES ($1, $2) RETURNING id',
    [organisationId, name],
  );
  const id = row?.id as number;
  await service.sql('INSERT INTO team_members (team_id, user_id) SELECT $1, unnest($2::integer[])', [
    id,
    [...userIds],
  ]);
  return id;
}
