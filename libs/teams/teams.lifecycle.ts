import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS, stays } from '@app/lifecycle/deletions';
import {
  DELETED_WITH_USER,
  type Person,
  PersonalData,
  type StoredRecord,
} from '@app/lifecycle/personal-data';
import type { TeamEntityKind } from './team.types';

@Injectable()
export class TeamDeletion extends DeletionHandler {
  readonly table = 'teams';
  readonly withUsers = stays('a team outlives its members');
  readonly withOrganisation = stays(
    'names nobody once its members are gone, and every route asks for the organisation',
  );
}

@Injectable()
export class TeamMemberDeletion extends DeletionHandler {
  readonly table = 'team_members';
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM team_members WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}

@Injectable()
export class TeamMemberPersonalData extends PersonalData {
  readonly table = 'team_members';
  readonly part = 'teams';
  readonly about = 'Teams that the person is a member of.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT t.id, t.name, t.organisation_id AS "organisationId"
       FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.id`,
      [id],
    );
  }
}

/** Takes a removed entity out of all teams. Call it after the deletion of its row: a concurrent addition waits for that. */
export const removeFromAllTeams = (
  manager: EntityManager,
  kind: TeamEntityKind,
  objectId: number,
): Promise<unknown> =>
  manager.query('DELETE FROM team_entities WHERE kind = $1 AND object_id = $2', [kind, objectId]);
