import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { LIFT } from './suspension.queries';
import { type Person, PersonalData, type StoredRecord, touchedBy } from '@app/lifecycle/personal-data';

@Injectable()
export class SuspensionDeletion extends DeletionHandler {
  readonly table = 'suspensions';
  readonly withUsers = stays('it outlives its maker, whose name is hidden from then on');
  readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(LIFT, [organisationId]);
}

const ERASE = `
  UPDATE suspensions SET reason =
    left(forget_in_text(reason, CASE WHEN organisation_id = $1 THEN $2 ELSE $4 END), 1000)
  WHERE reason ~* CASE WHEN organisation_id = $1 THEN $2 ELSE $3 END`;

@Injectable()
export class SuspensionPersonalData extends PersonalData {
  readonly table = 'suspensions';
  readonly part = 'suspensions';
  readonly about = 'Organisations that the person suspended and that are suspended still.';

  /** A reason may name anybody. */
  readonly erase = (
    manager: EntityManager,
    { organisationId, within, everywhere, named }: Person,
  ): Promise<number> => touchedBy(manager, ERASE, [organisationId, within, everywhere, named]);

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT organisation_id AS "organisationId", itself, beneath AS "withSubOrganisations", reason, since
       FROM suspensions WHERE by_user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
