import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/caller';
import { isChosenByGrant } from '@app/security/access/chosen-users';

/** Who may choose a user. */
type Chooser = Pick<Caller, 'grant' | 'isChosenByGrant' | 'userId'>;

const CONFIRM = `UPDATE users SET confirmed_at = now() WHERE id = $1 AND ${isChosenByGrant('users')}`;

/**
 * A manager who puts a user into a team, or sends its roles, chooses a user whom so far only a grantee chose
 * (rule grants 85, rule grants 86). By a grant nobody does, nor does who is unconfirmed. Nobody chooses
 * itself. Keys count as who made them. Call it before the user's row is locked, because shared locks of two
 * such calls would wait for each other.
 */
export async function confirmUser(
  manager: EntityManager,
  { grant, isChosenByGrant: isUnconfirmed, userId: callerId }: Chooser,
  userId: number,
): Promise<void> {
  if (grant !== undefined || isUnconfirmed || callerId === userId) return;
  await manager.query(CONFIRM, [userId]);
}
