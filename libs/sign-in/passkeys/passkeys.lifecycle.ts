import type { EntityManager } from 'typeorm';
import { type TableRulesOf, userTable } from '@app/lifecycle/table-rules';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';

/** A reset deletes recent passkeys, because an attacker with the old password may have added them (decisions.md 14.4). */
const END_NEW = `
  WITH ended AS (
    DELETE FROM passkeys WHERE user_id = $1 AND created_at > now() - interval '7 days' RETURNING id, name
  ) SELECT id, name FROM ended ORDER BY id`;

/** Deletes the passkeys that a user added in the last 7 days. Lock the user's row first. */
export const endNewPasskeys = (
  manager: EntityManager,
  userId: number,
): Promise<{ readonly id: number; readonly name: string }[]> => manager.query(END_NEW, [userId]);

export const PASSKEY_RULES = userTable('passkeys', {
  part: 'passkeys',
  constraintErrors: PASSKEY_CONSTRAINT_ERRORS,
  about: 'Passkeys that the person logs in with: their names, and when they were made and last used.',
  exported: `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    backed_up AS "backedUp"`,
  addedAt: 'created_at',
});

export const PASSKEY_CHALLENGE_RULES = userTable('passkey_challenges', {
  part: 'passkeyChallenges',
  about: 'That the person has begun to add a passkey, for five minutes at most.',
  exported: `expires_at AS "expiresAt"`,
  outdated: 'expires_at < now()',
});

/** Deletes recent passkeys at a reset of the password, and notifies of each. */
export const passkeyResets: TableRulesOf = (provider) => ({
  table: 'passkeys',
  handle: async (manager, event) => {
    if (event.kind !== 'passwordReset') return;
    for (const { id, name } of await endNewPasskeys(manager, event.userId)) {
      await provider(NotificationRecorder).record(manager, {
        organisationId: event.organisationId,
        type: 'removed_by_reset',
        entity: { class: 'Passkey', id, name },
        userId: event.userId,
        aboutUserId: event.userId,
      });
    }
  },
});
