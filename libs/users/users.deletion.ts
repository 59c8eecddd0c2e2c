import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';
import { Deletions } from '@app/core/deletion/deletions';

/** The rows stay for the audit log and for whatever names the user; the password hash goes. */
const DELETE_OF_ORGANISATION = `
  WITH deleted AS (
    UPDATE users SET deleted_at = now(), password_hash = ''
    WHERE organisation_id = $1 AND deleted_at IS NULL RETURNING id
  ) SELECT id FROM deleted`;

/** Deletes the users of an organisation with all that goes with users, as if one by one. */
@Injectable()
export class UserDeletion extends DeletionHandler {
  readonly table = 'users';
  readonly position = 10;
  readonly withUsers = stays('it is what is deleted: the row stays, with its id, without the password hash');

  readonly withOrganisation = async (manager: EntityManager, organisationId: number): Promise<void> => {
    const users = await manager.query<{ id: number }[]>(DELETE_OF_ORGANISATION, [organisationId]);
    await this.deletions.usersDeleted(
      manager,
      users.map(({ id }) => id),
    );
  };

  constructor(private readonly deletions: Deletions) {
    super();
  }
}
