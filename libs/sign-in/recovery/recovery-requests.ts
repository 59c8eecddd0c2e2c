import type { EntityManager } from 'typeorm';
import { withdrawMails } from '@app/mail/outbox';

/** What a mailed link does: it resets the password, or verifies a new user name. */
export type RequestKind = 'reset' | 'name';

const END = `
  UPDATE recovery_requests SET ended_at = now()
  WHERE user_id = ANY ($1::integer[]) AND kind = ANY ($2::varchar[]) AND ended_at IS NULL`;

/**
 * Ends open links of users, and cancels waiting mails with them. Change the users' rows first, because the
 * use of a link also locks them first.
 */
export async function endRequests(
  manager: EntityManager,
  userIds: readonly number[],
  ...kinds: readonly RequestKind[]
): Promise<void> {
  await manager.query(END, [userIds, kinds]);
  await withdrawMails(
    manager,
    userIds.flatMap((userId) => kinds.map((kind) => requestMailKey(kind, userId))),
  );
}

const USE = `
  WITH used AS (
    UPDATE recovery_requests SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now() RETURNING id
  ) SELECT id FROM used`;

/** Ends the link of a token digest. False if another request has used or ended it meanwhile. */
export async function useLink(manager: EntityManager, digest: Buffer): Promise<boolean> {
  return (await manager.query<object[]>(USE, [digest])).length > 0;
}

/** Key of a waiting mail with a link. A user has at most one of each kind. */
export const requestMailKey = (kind: RequestKind, userId: number): string =>
  kind === 'reset' ? `recovery:${userId}` : `username:${userId}`;
