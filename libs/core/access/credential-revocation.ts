import type { EntityManager } from 'typeorm';
import { withdrawJob } from '../jobs/queue-job';

/** Ends logins of a user for good, all of them or all but one; holds for the next request on every node. */
export async function endLogins(manager: EntityManager, userId: number, exceptLoginId = 0): Promise<void> {
  await manager.query(`DELETE FROM logins WHERE user_id = $1 AND id <> $2`, [userId, exceptLoginId]);
}

/**
 * Ends open reset links and confirmation codes of a user, and the mail that was to bring them. Change the user's row
 * first: recovery locks it first too.
 */
export async function endRecovery(manager: EntityManager, userId: number): Promise<void> {
  await manager.query(
    `UPDATE recovery_requests SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL`,
    [userId],
  );
  await withdrawJob(manager, recoveryMailKey(userId));
}

/** Names the one recovery mail of a user that may wait to be sent. */
export const recoveryMailKey = (userId: number): string => `recovery:${userId}`;

/** Deletes the API keys of a user. */
export async function deleteApiKeys(manager: EntityManager, userId: number): Promise<void> {
  await manager.query(`DELETE FROM api_keys WHERE user_id = $1`, [userId]);
}

/** Ends the trust in every device of a user: its next login asks for a code again. */
export async function forgetDevices(manager: EntityManager, userId: number): Promise<void> {
  await manager.query(`DELETE FROM trusted_devices WHERE user_id = $1`, [userId]);
}
