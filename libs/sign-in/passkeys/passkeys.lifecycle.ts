import type { EntityManager } from 'typeorm';
import { type TableRules, userCredentials } from '@app/lifecycle/table-rules';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';
import { PASSKEY_NOTIFICATIONS } from './passkeys.notifications';

/**
 * A reset deletes recent passkeys, because an attacker with the old password may have added them (rule
 * passkeys 35), and one that gives the former name back also those since $2.
 */
const END_NEW = `
  WITH ended AS (
    DELETE FROM passkeys WHERE user_id = $1 AND created_at > least(now() - interval '7 days', $2::timestamptz)
    RETURNING id, name
  ) SELECT id, name FROM ended ORDER BY id`;

/**
 * Deletes the passkeys that a user added in the last 7 days, or since an earlier time. Lock the user's row
 * first.
 */
export const endNewPasskeys = (
  manager: EntityManager,
  userId: number,
  since?: Date,
): Promise<{ readonly id: number; readonly name: string }[]> =>
  manager.query(END_NEW, [userId, since ?? null]);

/** Deletes all passkeys of a user. */
export async function endPasskeys(manager: EntityManager, userId: number): Promise<void> {
  await manager.query('DELETE FROM passkeys WHERE user_id = $1', [userId]);
}

export const PASSKEY_RULES = userCredentials('passkeys', {
  part: 'passkeys',
  personalTexts: 'name',
  otherTexts: 'rp_id',
  constraintErrors: PASSKEY_CONSTRAINT_ERRORS,
  about: 'Passkeys that the person logs in with: their names, and when they were made and last used.',
  exported: `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    backed_up AS "backedUp", rp_id AS domain`,
  audited: { kind: 'passkeys', shown: 'user_id name created_at', hidden: 'id' },
  afterRestore: { keeps: { passkeys: 'true' } },
});

export const PASSKEY_CHALLENGE_RULES = userCredentials('passkey_challenges', {
  part: 'passkeyChallenges',
  about: 'That the person has begun to add a passkey, for five minutes at most.',
  exported: `expires_at AS "expiresAt"`,
  outdated: 'expires_at < now()',
  afterRestore: 'only the holder of a passkey can answer one, for five minutes',
});

/** Deletes recent passkeys at a reset of the password, and notifies of each. */
export const passkeyResets: TableRules = {
  table: 'passkeys',
  made: (provider) => ({
    handle: async (manager, event) => {
      if (event.kind !== 'passwordReset') return;
      const { userId, organisationId, untrustedSince } = event;
      for (const { id, name } of await endNewPasskeys(manager, userId, untrustedSince)) {
        await provider(NotificationRecorder).record(manager, PASSKEY_NOTIFICATIONS.removed_by_reset, {
          organisationId,
          entity: { id, name },
          userId,
          aboutUserId: userId,
        });
      }
    },
  }),
};
