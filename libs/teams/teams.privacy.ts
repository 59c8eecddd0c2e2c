import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class TeamMemberPersonalData extends PersonalData {
  readonly table = 'team_members';
  readonly position = 60;
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
