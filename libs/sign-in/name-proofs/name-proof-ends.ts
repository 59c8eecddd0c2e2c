import type { EntityManager } from 'typeorm';
import { withdrawMails } from '@app/mail/outbox';

/** Key of a waiting mail with a link. A user has at most one. */
export const nameProofMailKey = (userId: number): string => `name-proof:${userId}`;

/** Ends open links of users, and cancels waiting mails with them. Change the users' rows first. */
export async function endNameProofs(manager: EntityManager, userIds: readonly number[]): Promise<void> {
  await manager.query(
    'UPDATE name_proofs SET ended_at = now() WHERE user_id = ANY ($1::integer[]) AND ended_at IS NULL',
    [userIds],
  );
  await withdrawMails(manager, userIds.map(nameProofMailKey));
}
