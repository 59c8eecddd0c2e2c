import { isPasskeyThere } from '@app/sign-in/passkeys/passkey-presence';
import { endNewPasskeys, endPasskeys } from '@app/sign-in/passkeys/passkeys.lifecycle';
import type { OtherFactor } from './other-factor';

const COUNT = `SELECT count(*)::integer AS passkeys FROM passkeys p WHERE user_id = $1 AND ${isPasskeyThere('p')}`;

/** The passkeys of a user, in the command `user`. */
export const PASSKEYS_OF_USER: OtherFactor = {
  option: ['passkeys', 'remove the passkeys too: all devices are lost'],
  atNewPassword: 'Passkeys that were added in the last 7 days go too.',
  atLoss: 'Passkeys stay valid unless you name --passkeys.',
  endNew: async (manager, userId) => {
    const ended = await endNewPasskeys(manager, userId);
    return ended.length === 0 ? [] : [`Removed passkeys that were added in the last 7 days: ${ended.length}`];
  },
  endAll: async (manager, { userId, username }, isGiven) => {
    const [{ passkeys }] = await manager.query<[{ passkeys: number }]>(COUNT, [userId]);
    if (isGiven) await endPasskeys(manager, userId);
    if (passkeys === 0) return [];
    return isGiven
      ? [`Removed the passkeys of ${username}: ${passkeys}`]
      : [
          `${username} keeps passkeys (${passkeys}), which log in without a second factor, and the password alone sets no second factor up beside them: a manager can delete those of a lost device, and so can --passkeys`,
        ];
  },
};
