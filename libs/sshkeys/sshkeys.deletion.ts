import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler } from '@app/core/deletion/deletion-handler';

@Injectable()
export class SshKeyDeletion extends DeletionHandler {
  readonly table = 'ssh_keys';
  readonly position = 100;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM ssh_keys WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM ssh_keys WHERE organisation_id = $1`, [organisationId]);
}
