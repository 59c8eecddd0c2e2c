import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { CleanUp } from '@app/platform/jobs/clean-up';

/** Removes rotated keys once they have ended, so that years of rotation do not fill an organisation's list. */
@Injectable()
export class ServiceKeysCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM service_keys WHERE rotated_at IS NOT NULL AND expires_at < now()`];
}

@Injectable()
export class ServiceKeyDeletion extends DeletionHandler {
  readonly table = 'service_keys';
  readonly withUsers = stays('it belongs to the organisation and outlives whoever made it');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM service_keys WHERE organisation_id = $1`, [organisationId]);
}
