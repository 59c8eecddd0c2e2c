import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS, stays } from '@app/core/deletion/deletion-handler';

@Injectable()
export class TeamDeletion extends DeletionHandler {
  readonly table = 'teams';
  readonly position = 50;
  readonly withUsers = stays('a team outlives its members');
  readonly withOrganisation = stays(
    'names nobody once its members are gone, and every route asks for the organisation',
  );
}

@Injectable()
export class TeamMemberDeletion extends DeletionHandler {
  readonly table = 'team_members';
  readonly position = 60;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM team_members WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}
