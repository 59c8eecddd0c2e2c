import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

/** Files and links go with their documents by foreign key, links with their contacts too. */
@Injectable()
export class DocumentDeletion extends DeletionHandler {
  readonly table = 'documents';
  readonly position = 85;
  readonly withUsers = stays('it belongs to the organisation');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM documents WHERE organisation_id = $1`, [organisationId]);
}
