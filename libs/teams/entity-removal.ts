import type { EntityManager } from 'typeorm';
import type { TeamEntityKind } from './team.types';

/** What no longer exists is worked on by no team. Call it after the entity's row is gone: who adds it waits for that. */
export const removeFromAllTeams = (
  manager: EntityManager,
  kind: TeamEntityKind,
  objectId: number,
): Promise<unknown> =>
  manager.query('DELETE FROM team_entities WHERE kind = $1 AND object_id = $2', [kind, objectId]);
