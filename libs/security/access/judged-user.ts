import type { EntityManager } from 'typeorm';
import type { ApiError } from '@app/platform/errors/api-error';
import type { Role } from './roles';

/** A user whose roles and name the guard has judged. */
export interface JudgedUser {
  readonly id: number;
  /** The refusal that these roles and this name would have met. */
  readonly refusalWith: (roles: readonly Role[], username: string) => ApiError | undefined;
}

/**
 * Not a shared lock: two changes of one user would wait for each other. It comes before all other locks,
 * because the deletion of a user locks the user first.
 */
const LOCK = 'SELECT roles, username FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE';

/**
 * Before the work of a transaction: roles and name of the user change no more until its end. Whoever
 * gave the user a role meanwhile that puts it beyond the caller is not overruled by the guard's older
 * look (rule grants 50, rule rights 33).
 */
export async function lockJudgedUser(manager: EntityManager, { id, refusalWith }: JudgedUser): Promise<void> {
  const [user] = await manager.query<{ roles: Role[]; username: string }[]>(LOCK, [id]);
  // Without a row the user was just deleted; the work notices that.
  const refusal = user && refusalWith(user.roles, user.username);
  if (refusal !== undefined) throw refusal;
}
