import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS } from '@app/core/deletion/deletion-handler';

@Injectable()
export class UserPreferencesDeletion extends DeletionHandler {
  readonly table = 'user_preferences';
  readonly position = 110;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM user_preferences WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}
