import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PersonalData, touchedBy, type Person, type StoredRecord } from '@app/core/privacy/personal-data';

/** The invited person's own data; of what the person invited others to, no word about those others. */
const STORED = `
  SELECT id, organisation_id AS "organisationId", 'received' AS kind, email, first_name AS "firstName",
    last_name AS "lastName", language, auto_roles AS "roles", auto_teams AS "teams", created_at AS "createdAt",
    expires_at AS "expiresAt", accepted_at AS "acceptedAt", deleted_at AS "deletedAt"
  FROM invitations WHERE lower(email) = ANY ($2::text[])
  UNION ALL
  SELECT id, organisation_id, 'made', NULL, NULL, NULL, language, auto_roles, auto_teams, created_at, expires_at,
    accepted_at, deleted_at
  FROM invitations WHERE inviter_id = $1 AND NOT lower(email) = ANY ($2::text[])
  ORDER BY id`;

/** An open one is withdrawn: its mail could not go anywhere any more. */
const ERASE = `
  UPDATE invitations SET email = '', first_name = '', last_name = '',
    deleted_at = CASE WHEN accepted_at IS NULL THEN coalesce(deleted_at, now()) ELSE deleted_at END
  WHERE lower(email) = ANY ($1::text[])`;

@Injectable()
export class InvitationPersonalData extends PersonalData {
  readonly table = 'invitations';
  readonly position = 70;
  readonly part = 'invitations';
  readonly about =
    'Invitations to become a user: those that the person received, and when the person invited somebody.';

  readonly erase = (manager: EntityManager, { addresses }: Person): Promise<number> =>
    touchedBy(manager, ERASE, [addresses]);

  stored(manager: EntityManager, { id, addresses }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [id, addresses]);
  }
}
