import type { EntityManager } from 'typeorm';

/** A name that counts again, and the password that goes with it from now on. */
export interface RestoredAccount {
  readonly username: string;
  readonly passwordHash: string;
  /** A second factor that was set up or asked for since then goes. */
  readonly since: Date;
}

const RESTORE = `
  UPDATE users u SET username = $2, password_hash = $3,
    second_factor = CASE WHEN factor.is_new THEN 'disabled' ELSE second_factor END,
    totp_secret = CASE WHEN NOT factor.is_new THEN totp_secret END,
    totp_last_step = CASE WHEN NOT factor.is_new THEN totp_last_step END
  FROM (SELECT coalesce(second_factor_changed_at >= $4, false) AS is_new FROM users WHERE id = $1) factor
  WHERE u.id = $1`;

/** Gives a user, whose row is locked, an older name back. */
export async function restoreUsername(
  manager: EntityManager,
  userId: number,
  { username, passwordHash, since }: RestoredAccount,
): Promise<void> {
  await manager.query(RESTORE, [userId, username, passwordHash, since]);
}
