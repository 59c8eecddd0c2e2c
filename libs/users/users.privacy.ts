import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Deletions } from '@app/core/deletion/deletions';
import { PersonalData, touchedBy, type Person, type StoredRecord } from '@app/core/privacy/personal-data';

const STORED = `
  SELECT id, organisation_id AS "organisationId", username, first_name AS "firstName", last_name AS "lastName",
    language, roles, enabled, second_factor AS "secondFactor",
    website_order_information AS "websiteOrderInformation", created_at AS "createdAt", deleted_at AS "deletedAt"
  FROM users WHERE id = $1`;

const DELETE = `UPDATE users SET deleted_at = now(), password_hash = '' WHERE id = $1 AND deleted_at IS NULL`;

const ERASE = `
  UPDATE users SET username = 'erased-' || id, first_name = '', last_name = '', password_hash = '',
    website_order_information = NULL, second_factor = 'disabled', totp_secret = NULL, totp_last_step = NULL
  WHERE id = $1 AND username <> 'erased-' || id`;

/** Deletes the user as the interface does, with all that goes with it, and then empties the row that stays. */
@Injectable()
export class UserPersonalData extends PersonalData {
  readonly table = 'users';
  readonly position = 10;
  readonly part = 'user';
  readonly about = 'The account: the name to log in with, the name in mails, language and roles.';

  readonly erase = async (manager: EntityManager, { id }: Person): Promise<number> => {
    await manager.query(DELETE, [id]);
    // What names the user by the name that is about to go is found by it: so before.
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
