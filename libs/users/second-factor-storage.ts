import type { EntityManager } from 'typeorm';
import type { SecondFactor } from './user.entity';

/** What a change of the second factor stores beside the new state. */
export interface SecondFactorChange {
  /** The new secret, encrypted; the steps accepted so far no longer count. */
  readonly secret?: string;
  /** The step of the code that was right. */
  readonly step?: number;
  /** The encrypted secret that the code was checked against: by now it may have been replaced. */
  readonly checkedSecret?: string;
}

/** The state that follows on each state; a state that is left out does not change. */
export type SecondFactorTransitions = Readonly<Partial<Record<SecondFactor, SecondFactor>>>;

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

/** Makes one transition by one conditional UPDATE and gives the state before it; undefined where none was made. */
export async function storeSecondFactor(
  manager: EntityManager,
  userId: number,
  transitions: SecondFactorTransitions,
  change: SecondFactorChange,
): Promise<SecondFactor | undefined> {
  const [[changed]] = await manager.query<[{ secondFactor: SecondFactor }[], number]>(CHANGE, [
    userId,
    JSON.stringify(transitions),
    change.secret ?? null,
    change.step ?? null,
    change.checkedSecret ?? null,
  ]);
  return changed?.secondFactor;
}

/** A code that was right for a secret. */
export interface AcceptedCode {
  readonly step: number;
  /** The encrypted secret that the code was checked against. */
  readonly checkedSecret: string;
  /** The same secret, encrypted with the present key. */
  readonly secret: string;
}

const ACCEPT_STEP = `
  UPDATE users SET totp_last_step = $2, totp_secret = $4
  WHERE id = $1 AND second_factor = 'enabled' AND totp_secret = $3
    AND (totp_last_step IS NULL OR totp_last_step < $2)`;

/** Tells whether a code counts: once, on every node, and never for an older step than the last accepted one. */
export async function acceptStep(
  manager: EntityManager,
  userId: number,
  { step, checkedSecret, secret }: AcceptedCode,
): Promise<boolean> {
  const [, accepted] = await manager.query<[unknown[], number]>(ACCEPT_STEP, [
    userId,
    step,
    checkedSecret,
    secret,
  ]);
  return accepted === 1;
}
