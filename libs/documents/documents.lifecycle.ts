import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';

@Injectable()
export class DocumentsCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM document_links WHERE expires_at < now()`];
}

/** Foreign keys delete files and links with their documents, and links with their contacts. */
@Injectable()
export class DocumentDeletion extends DeletionHandler {
  readonly table = 'documents';
  readonly withUsers = stays('it belongs to the organisation');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM documents WHERE organisation_id = $1`, [organisationId]);
}
