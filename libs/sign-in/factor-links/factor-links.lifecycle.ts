import type { EntityManager } from 'typeorm';
import { userCredentials } from '@app/lifecycle/table-rules';

const BEGIN_NEW_COUNT = 'UPDATE second_factor_links SET is_counted = false WHERE user_id = $1 AND is_counted';

/**
 * Somebody with only the password could use up the changes of a day, and so keep the user from a second
 * factor: the mailbox and a manager begin a new count. The links stay.
 */
export async function beginNewCount(manager: EntityManager, userId: number): Promise<void> {
  await manager.query(BEGIN_NEW_COUNT, [userId]);
}

export const SECOND_FACTOR_LINK_RULES = userCredentials('second_factor_links', {
  part: 'secondFactorLinks',
  about: 'Changes of second factors that a mail has told the person of, in the last 30 days.',
  exported: `id, change, passkey_name AS "passkeyName", changed_at AS "changedAt", expires_at AS "expiresAt",
    ended_at AS "endedAt"`,
  outdated: `expires_at < now() - interval '30 days'`,
  afterRestore: { ends: 'secondFactorLinks', by: 'end' },
  handle: async (manager, event) => {
    if (event.kind === 'passwordReset' || event.kind === 'nameRestored')
      await beginNewCount(manager, event.userId);
  },
});
