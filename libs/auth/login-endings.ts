import type { EntityManager } from 'typeorm';

/** Ends logins of a user for good, all of them or all but one; holds for the next request on every node. */
export async function endLogins(manager: EntityManager, userId: number, exceptLoginId = 0): Promise<void> {
  await manager.query(`DELETE FROM logins WHERE user_id = $1 AND id <> $2`, [userId, exceptLoginId]);
}

/** Ends one login of a user, as {@link endLogins} ends all; tells whether it was there. */
export async function endLogin(manager: EntityManager, userId: number, loginId: number): Promise<boolean> {
  const [, ended] = await manager.query<[unknown[], number]>(
    `DELETE FROM logins WHERE user_id = $1 AND id = $2`,
    [userId, loginId],
  );
  return ended === 1;
}
