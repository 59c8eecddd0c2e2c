import type { EntityManager } from 'typeorm';
import { withdrawJobs } from '@app/core/jobs/queue-job';

/**
 * Ends open reset links and confirmation codes of users, and the mails that were to bring them. Change the users'
 * rows first: recovery locks them first too.
 */
export async function endRecovery(manager: EntityManager, userIds: readonly number[]): Promise<void> {
  await manager.query(
    `UPDATE recovery_requests SET ended_at = now() WHERE user_id = ANY ($1::integer[]) AND ended_at IS NULL`,
    [userIds],
  );
  await withdrawJobs(manager, userIds.map(recoveryMailKey));
}

/** Names the one recovery mail of a user that may wait to be sent. */
export const recoveryMailKey = (userId: number): string => `recovery:${userId}`;
