import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { Settings } from '@app/platform/process/settings';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { type Person, PersonalData, type StoredRecord, touchedBy } from '@app/lifecycle/personal-data';

const BATCH = 500;

/** The first of use, withdrawal and expiry. */
const END = 'least(accepted_at, deleted_at, expires_at)';

@Injectable()
export class InvitationsCleanUp extends CleanUp {
  readonly statements: readonly string[];

  constructor({ retention }: Settings) {
    super();
    this.statements =
      retention.invitations === undefined
        ? []
        : [
            `WITH gone AS (
               DELETE FROM invitations WHERE id IN (
                 SELECT id FROM invitations WHERE ${END} < now() - make_interval(secs => ${retention.invitations})
                 ORDER BY ${END} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
               RETURNING id
             ) SELECT count(*) = ${BATCH} AS more FROM gone`,
          ];
  }
}

@Injectable()
export class InvitationDeletion extends DeletionHandler {
  readonly table = 'invitations';
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

/** The data of the invited person. Invitations that the person made are listed without the data of others. */
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

/** Withdraws an open invitation, as its mail has no address. */
const ERASE = `
  UPDATE invitations SET email = '', first_name = '', last_name = '',
    deleted_at = CASE WHEN accepted_at IS NULL THEN coalesce(deleted_at, now()) ELSE deleted_at END
  WHERE lower(email) = ANY ($1::text[])`;

@Injectable()
export class InvitationPersonalData extends PersonalData {
  readonly table = 'invitations';
  readonly part = 'invitations';
  readonly about =
    'Invitations to become a user: those that the person received, and when the person invited somebody.';

  readonly erase = (manager: EntityManager, { addresses }: Person): Promise<number> =>
    touchedBy(manager, ERASE, [addresses]);

  stored(manager: EntityManager, { id, addresses }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [id, addresses]);
  }
}
