import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

@Injectable()
export class AclDeletion extends DeletionHandler {
  readonly table = 'acls';
  readonly position = 90;
  readonly withUsers = stays('grants are given by organisations to organisations');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM acls WHERE $1 IN (organisation_id, grantee_id, giver_organisation_id)`, [
      organisationId,
    ]);
}
