import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SecondFactorDemandHandler, type SecondFactorDemand } from '@app/organisations/second-factor-demand';

/** Logins that are just being issued hold the user's row: they are waited for here, or find the demand there. */
const LOCK_USERS = `
  SELECT id FROM users WHERE organisation_id = $1 AND second_factor <> 'enabled' AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** Ends the logins of users who have no second factor where their organisation demands one (decisions.md section 11). */
@Injectable()
export class DemandedSecondFactors extends SecondFactorDemandHandler {
  readonly position = 20;

  async handle(
    manager: EntityManager,
    { organisationId, keptLoginId = 0 }: SecondFactorDemand,
  ): Promise<void> {
    const users = await manager.query<{ id: number }[]>(LOCK_USERS, [organisationId]);
    await manager.query('DELETE FROM logins WHERE user_id = ANY ($1::integer[]) AND id <> $2', [
      users.map(({ id }) => id),
      keptLoginId,
    ]);
  }
}
