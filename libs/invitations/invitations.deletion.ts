import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

@Injectable()
export class InvitationDeletion extends DeletionHandler {
  readonly table = 'invitations';
  readonly position = 70;
  readonly withUsers = stays(
    'it belongs to the organisation; roles that a deleted inviter promised are not granted',
  );
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(
      `UPDATE invitations SET deleted_at = now()
       WHERE organisation_id = $1 AND accepted_at IS NULL AND deleted_at IS NULL`,
      [organisationId],
    );
}
