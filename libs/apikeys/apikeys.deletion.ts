import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS } from '@app/core/deletion/deletion-handler';

@Injectable()
export class ApiKeyDeletion extends DeletionHandler {
  readonly table = 'api_keys';
  readonly position = 45;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM api_keys WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}
