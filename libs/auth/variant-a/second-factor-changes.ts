import type { EntityManager } from 'typeorm';
import { NotFound } from '@app/core/errors/api-error';
import type { SecondFactor } from '@app/users/user.entity';
import { SecondFactorMissing, SecondFactorRefused } from '../auth.errors';
import { refusalOf, transitionsOf, type SecondFactorEvent } from '../second-factor-states';

interface Change {
  /** The new secret, encrypted; the steps accepted so far no longer count. */
  readonly secret?: string;
  /** The step of the code that was right. */
  readonly step?: number;
  /** The encrypted secret that the code was checked against: by now it may have been replaced. */
  readonly checkedSecret?: string;
}

const CHANGE = `
  UPDATE users SET
    second_factor = $2::jsonb ->> before.second_factor,
    totp_secret = CASE WHEN $2::jsonb ->> before.second_factor <> 'disabled' THEN coalesce($3, users.totp_secret) END,
    totp_last_step = CASE WHEN $2::jsonb ->> before.second_factor <> 'disabled' AND $3::text IS NULL
      THEN coalesce($4, users.totp_last_step) END
  FROM (SELECT id, second_factor FROM users WHERE id = $1 FOR NO KEY UPDATE) before
  WHERE users.id = before.id AND users.deleted_at IS NULL AND jsonb_exists($2::jsonb, before.second_factor)
    AND ($5::text IS NULL OR users.totp_secret = $5)
  RETURNING before.second_factor AS "secondFactor"`;

/**
 * Makes the change that an event leads to by one conditional UPDATE and gives the state before it. Where nothing
 * was changed, the state that is stored by now says why: throws 400 for a refused event, and 401 for a code of a
 * secret that was replaced meanwhile.
 */
export async function changeSecondFactor(
  manager: EntityManager,
  userId: number,
  event: SecondFactorEvent,
  change: Change = {},
): Promise<SecondFactor> {
  const [[changed]] = await manager.query<[{ secondFactor: SecondFactor }[], number]>(CHANGE, [
    userId,
    JSON.stringify(transitionsOf(event)),
    change.secret ?? null,
    change.step ?? null,
    change.checkedSecret ?? null,
  ]);
  if (changed !== undefined) return changed.secondFactor;
  const [stored] = await manager.query<{ secondFactor: SecondFactor }[]>(
    `SELECT second_factor AS "secondFactor" FROM users WHERE id = $1 AND deleted_at IS NULL`,
    [userId],
  );
  if (stored === undefined) throw new NotFound('User');
  refuseUnlessPossible(event, stored.secondFactor);
  throw new SecondFactorMissing('CODE_INVALID');
}

/** 400 where the state machine refuses the event. */
export function refuseUnlessPossible(event: SecondFactorEvent, state: SecondFactor): void {
  const refusal = refusalOf(event, state);
  if (refusal !== undefined) throw new SecondFactorRefused(refusal);
}
