import type { EntityManager } from 'typeorm';
import { endRecovery } from '@app/core/access/credential-revocation';
import type { Outbox } from '@app/core/mail/outbox';
import { isPlainEmailAddress } from '@app/core/text/email-address';
import { User } from './user.entity';

/**
 * What a new user name brings with it, in the transaction that is about to store it: reset links that went to the
 * old address end, and the old address is told. Another spelling of the same name brings nothing.
 */
export async function prepareUsernameChange(
  manager: EntityManager,
  outbox: Outbox,
  userId: number,
  newUsername: string,
): Promise<void> {
  // Locked, so that of two changes at once the second tells the address that the first has set.
  const user = await manager.findOne(User, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
  if (user === null || user.username.toLowerCase() === newUsername.toLowerCase()) return;
  await endRecovery(manager, userId);
  if (!isPlainEmailAddress(user.username)) return;
  await outbox.queue(manager, {
    template: 'usernameChanged',
    to: user.username,
    language: user.language,
    values: { firstName: user.firstName, username: user.username },
  });
}
