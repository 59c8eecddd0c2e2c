import type { EntityManager } from 'typeorm';
import { type TableRules, userCredentials } from '@app/lifecycle/table-rules';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { ownsSecondFactor, SecondFactorLosses } from '@app/sign-in/auth/second-factor-losses';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';
import { PASSKEY_NOTICES } from './passkeys.notices';

/**
 * A reset deletes recent passkeys, because an attacker with the old password may have added
 * them (rule passkeys 39).
 */
const END_NEW = `
  WITH ended AS (
    DELETE FROM passkeys WHERE user_id = $1 AND created_at > now() - interval '7 days' RETURNING id, name
  ) SELECT id, name FROM ended ORDER BY id`;

/** Deletes the passkeys that a user added in the last 7 days. Lock the user's row first. */
export const endNewPasskeys = (
  manager: EntityManager,
  userId: number,
): Promise<{ readonly id: number; readonly name: string }[]> => manager.query(END_NEW, [userId]);

/** Deletes one passkey. Lock the row of its user first, here and below. */
export async function endPasskey(manager: EntityManager, id: number): Promise<void> {
  await manager.query('DELETE FROM passkeys WHERE id = $1', [id]);
}

/** Keeps a passkey that a login without the second factor deleted. */
export async function keepPasskey(manager: EntityManager, id: number): Promise<void> {
  await manager.query('UPDATE passkeys SET gone_at = NULL WHERE id = $1', [id]);
}

/** Deletes all passkeys of a user. */
export async function endPasskeys(manager: EntityManager, userId: number): Promise<void> {
  await manager.query('DELETE FROM passkeys WHERE user_id = $1', [userId]);
}

export const PASSKEY_RULES = userCredentials('passkeys', {
  part: 'passkeys',
  constraintErrors: PASSKEY_CONSTRAINT_ERRORS,
  about: 'Passkeys that the person logs in with: their names, and when they were made and last used.',
  exported: `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    backed_up AS "backedUp", counts_from AS "countsFrom", gone_at AS "goneAt"`,
  addedAt: 'created_at',
  outdated: 'gone_at <= now()',
  audited: { kind: 'passkeys', shown: 'user_id name created_at gone_at', hidden: 'id' },
  afterRestore: { keeps: { passkeys: 'true' } },
});

export const PASSKEY_CHALLENGE_RULES = userCredentials('passkey_challenges', {
  part: 'passkeyChallenges',
  about: 'That the person has begun to add a passkey, for five minutes at most.',
  exported: `expires_at AS "expiresAt"`,
  outdated: 'expires_at < now()',
  afterRestore: 'only the holder of a passkey can answer one, for five minutes',
});

/** A passkey that was deleted since the name changed stays. */
const KEEP_GOING = `UPDATE passkeys SET gone_at = NULL WHERE user_id = $1 AND gone_at > now()`;

/**
 * Deletes recent passkeys at a reset of the password, and notifies of each. Where the last second factor goes
 * by a reset, or by the restoration of a name, the next one needs a manager (rule recovery 90).
 */
export const passkeyResets: TableRules = {
  table: 'passkeys',
  made: (provider) => ({
    handle: async (manager, event) => {
      if (event.kind === 'nameRestored') {
        await manager.query(KEEP_GOING, [event.userId]);
        if (event.hadSecondFactor) await provider(SecondFactorLosses).note(manager, event.userId);
      }
      if (event.kind !== 'passwordReset') return;
      const hadSecondFactor = await ownsSecondFactor(manager, event.userId);
      const ended = await endNewPasskeys(manager, event.userId);
      if (hadSecondFactor) await provider(SecondFactorLosses).note(manager, event.userId);
      for (const { id, name } of ended) {
        await provider(NotificationRecorder).record(manager, PASSKEY_NOTICES.removed_by_reset, {
          organisationId: event.organisationId,
          entity: { id, name },
          userId: event.userId,
          aboutUserId: event.userId,
        });
      }
    },
  }),
};
