import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler } from '@app/core/deletion/deletion-handler';

@Injectable()
export class ContactDeletion extends DeletionHandler {
  readonly table = 'contacts';
  readonly position = 80;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(`DELETE FROM contacts WHERE user_id = ANY ($1::integer[])`, [userIds]);
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM contacts WHERE organisation_id = $1`, [organisationId]);
}
