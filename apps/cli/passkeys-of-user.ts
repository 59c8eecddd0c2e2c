import type { EntityManager } from 'typeorm';
import { endNewPasskeys, endPasskeys } from '@app/sign-in/passkeys/passkey-resets';

const COUNT = `SELECT count(*)::integer AS passkeys FROM passkeys WHERE user_id = $1`;

/**
 * Ends the passkeys that whoever knew the former password may have added. Returns what it did. Lock the
 * user's row first.
 */
export async function endPasskeysOfNewPassword(
  manager: EntityManager,
  userId: number,
): Promise<readonly string[]> {
  const ended = await endNewPasskeys(manager, userId);
  return ended.length === 0 ? [] : [`Removed passkeys that were added in the last 7 days: ${ended.length}`];
}

/** Ends all passkeys if they are lost too. Returns what it did, or is left. Lock the user's row first. */
export async function endLostPasskeys(
  manager: EntityManager,
  { userId, username }: { readonly userId: number; readonly username: string },
  areLost: boolean,
): Promise<readonly string[]> {
  const [{ passkeys }] = await manager.query<[{ passkeys: number }]>(COUNT, [userId]);
  if (areLost) await endPasskeys(manager, userId);
  if (passkeys === 0) return [];
  return areLost
    ? [`Removed the passkeys of ${username}: ${passkeys}`]
    : [
        `${username} keeps passkeys (${passkeys}), which log in without a second factor, and the ` +
          'password alone sets no second factor up beside them: a manager can delete those of a lost ' +
          'device, and so can --passkeys',
      ];
}
