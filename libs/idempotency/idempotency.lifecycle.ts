import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Person, touchedBy } from '@app/lifecycle/personal-data';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';

@Injectable()
export class KeptResponsesCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM kept_responses WHERE created_at < now() - interval '24 hours'`];
}

/** Those of service keys go with their key. */
@Injectable()
export class KeptResponseRecords extends UserRecords {
  readonly table = 'kept_responses';
  readonly part = 'keptResponses';
  readonly about = 'When programs of the person made changes that they could repeat, in the last day.';
  protected readonly exported = `id, created_at AS "createdAt"`;

  override readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM kept_responses WHERE organisation_id = $1`, [organisationId]);

  /** Any response about the person's organisation may name the person, and none can be searched. */
  override readonly erase = (manager: EntityManager, { organisationId }: Person): Promise<number> =>
    touchedBy(manager, `DELETE FROM kept_responses WHERE organisation_id = $1`, [organisationId]);
}
