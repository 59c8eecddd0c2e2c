import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';
import { Settings } from '@app/core/settings/settings';

const BATCH = 500;

/** Whatever came first: it was used, withdrawn, or ran out. */
const END = 'least(accepted_at, deleted_at, expires_at)';

@Injectable()
export class InvitationsCleanUp extends CleanUp {
  readonly position = 80;
  readonly statements: readonly string[];

  constructor({ invitationRetention }: Settings) {
    super();
    this.statements =
      invitationRetention === undefined
        ? []
        : [
            `WITH gone AS (
               DELETE FROM invitations WHERE id IN (
                 SELECT id FROM invitations WHERE ${END} < now() - make_interval(secs => ${invitationRetention})
                 ORDER BY ${END} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
               RETURNING id
             ) SELECT count(*) = ${BATCH} AS more FROM gone`,
          ];
  }
}
