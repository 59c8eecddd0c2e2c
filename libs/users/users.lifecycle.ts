import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, Deletions, stays } from '@app/lifecycle/deletions';
import { type Person, PersonalData, type StoredRecord, touchedBy } from '@app/lifecycle/personal-data';

/** Keeps the rows, because the audit log and other rows refer to them, without the password hash. */
const DELETE_OF_ORGANISATION = `
  WITH deleted AS (
    UPDATE users SET deleted_at = now(), password_hash = ''
    WHERE organisation_id = $1 AND deleted_at IS NULL RETURNING id
  ) SELECT id FROM deleted`;

/** Deletes the users of an organisation and all that belongs to them. */
@Injectable()
export class UserDeletion extends DeletionHandler {
  readonly table = 'users';
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

const STORED = `
  SELECT id, organisation_id AS "organisationId", username, first_name AS "firstName", last_name AS "lastName",
    language, roles, enabled, second_factor AS "secondFactor",
    website_order_information AS "websiteOrderInformation", created_at AS "createdAt", deleted_at AS "deletedAt"
  FROM users WHERE id = $1`;

const DELETE = `UPDATE users SET deleted_at = now(), password_hash = '' WHERE id = $1 AND deleted_at IS NULL`;

const ERASE = `
  UPDATE users SET username = 'erased-' || id, first_name = '', last_name = '', password_hash = '',
    website_order_information = NULL, second_factor = 'disabled', totp_secret = NULL, totp_last_step = NULL
  WHERE id = $1 AND (username, first_name) <> ('erased-' || id, '')`;

/** Deletes the user as the interface does, and then empties the row, which stays. */
@Injectable()
export class UserPersonalData extends PersonalData {
  readonly table = 'users';
  readonly part = 'user';
  readonly about = 'The account: the name to log in with, the name in mails, language and roles.';

  readonly erase = async (manager: EntityManager, { id }: Person): Promise<number> => {
    await manager.query(DELETE, [id]);
    // Before the name is erased: other domains find their rows by it.
    await this.deletions.usersDeleted(manager, [id]);
    return touchedBy(manager, ERASE, [id]);
  };

  constructor(private readonly deletions: Deletions) {
    super();
  }

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [id]);
  }
}
