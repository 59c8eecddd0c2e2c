import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/access.decorators';
import { assertNoSupport } from '@app/security/access/access-evaluation';
import { AccessDenied } from '@app/platform/errors/api-error';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';
import type { Contact } from './contact.entity';

/**
 * Age at which a contact may get recovery mail, and the time for which it may still get it after its removal: the user has
 * had time to read the news of the change.
 */
export const RECOVERY_STANDING = '72 hours';

/** Keeps the address that the contact $1 has, if recovery mail may go there. */
const KEEP = `
  INSERT INTO former_contacts (user_id, name, since)
  SELECT user_id, name, greatest(created_at, address_changed_at) FROM contacts
  WHERE id = $1 AND greatest(created_at, address_changed_at) <= now() - interval '${RECOVERY_STANDING}'`;

/** Whether recovery mail goes to contacts of the user: its name is no e-mail address. */
async function isRecoveredByContacts(manager: EntityManager, userId: number): Promise<boolean> {
  const [user] = await manager.query<{ username: string }[]>('SELECT username FROM users WHERE id = $1', [
    userId,
  ]);
  return user !== undefined && !isPlainEmailAddress(user.username);
}

/** Throws 403 for a credential that would change where recovery mail goes: only a login leads to a new password. */
export async function assertMayChangeContacts(
  manager: EntityManager,
  { credential, grant }: Pick<Caller, 'credential' | 'grant'>,
  userId: number | null,
): Promise<void> {
  if (credential.kind === 'login' || userId === null) return;
  if (!(await isRecoveredByContacts(manager, userId))) return;
  assertNoSupport({ credential, grant });
  throw new AccessDenied();
}

/** Call it before a contact goes or gets another address: recovery mail goes to the old one for some time. */
export async function keepForRecovery(
  manager: EntityManager,
  { id, type, userId }: Pick<Contact, 'id' | 'type' | 'userId'>,
): Promise<void> {
  if (type !== 'email' || userId === null) return;
  if (await isRecoveredByContacts(manager, userId)) await manager.query(KEEP, [id]);
}
