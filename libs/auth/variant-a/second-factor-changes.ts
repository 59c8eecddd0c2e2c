import type { EntityManager } from 'typeorm';
import { NotFound } from '@app/core/errors/api-error';
import { SecondFactorMissing } from '@app/users/credentials.errors';
import { storeSecondFactor, type SecondFactorChange } from '@app/users/second-factor-storage';
import type { SecondFactor } from '@app/users/user.entity';
import { SecondFactorInvalid } from '../auth.errors';
import { transitionError, transitionsOf, type SecondFactorEvent } from '../second-factor-states';

/**
 * Makes the change that an event leads to by one conditional UPDATE and gives the state before it. Where nothing
 * was changed, the state that is stored by now says why: throws 400 for a refused event, and 401 for a code of a
 * secret that was replaced meanwhile.
 */
export async function changeSecondFactor(
  manager: EntityManager,
  userId: number,
  event: SecondFactorEvent,
  change: SecondFactorChange = {},
): Promise<SecondFactor> {
  const before = await storeSecondFactor(manager, userId, transitionsOf(event), change);
  if (before !== undefined) return before;
  const [stored] = await manager.query<{ secondFactor: SecondFactor }[]>(
    `SELECT second_factor AS "secondFactor" FROM users WHERE id = $1 AND deleted_at IS NULL`,
    [userId],
  );
  if (stored === undefined) throw new NotFound('User');
  assertTransitionPossible(event, stored.secondFactor);
  throw new SecondFactorMissing('CODE_INVALID');
}

/** 400 where the state machine refuses the event. */
export function assertTransitionPossible(event: SecondFactorEvent, state: SecondFactor): void {
  const refusal = transitionError(event, state);
  if (refusal !== undefined) throw new SecondFactorInvalid(refusal);
}
