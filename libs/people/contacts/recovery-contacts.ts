import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { RECOVERY_CONTACT_AGE } from '@app/people/users/recovery-email';
import { AccessDenied } from '@app/platform/errors/api-error';
import { assertNoSupport } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';
import type { Contact } from './contact.entity';

/** Stores the address of the contact $1, if recovery mail may go there. */
const KEEP = `
  INSERT INTO former_contacts (user_id, name, since)
  SELECT user_id, name, greatest(created_at, address_changed_at) FROM contacts
  WHERE id = $1 AND greatest(created_at, address_changed_at) <= now() - interval '${RECOVERY_CONTACT_AGE}'`;

/** Whether the user's recovery mail goes to contacts, because the user name is no e-mail address. */
async function isRecoveredByContacts(manager: EntityManager, userId: number): Promise<boolean> {
  const [user] = await manager.query<{ names: string[] }[]>(
    // For a while the last proved name counts (rule recovery 66).
    `SELECT ARRAY[username, coalesce(nullif(told_name, ''), username)] AS names FROM users WHERE id = $1`,
    [userId],
  );
  return user !== undefined && user.names.some((name) => !isPlainEmailAddress(name));
}

/**
 * Throws 403 for a credential that would change where recovery mail goes, and calls `demandProof` for a
 * login. Only a person may lead to a new password.
 */
export async function assertMayChangeContacts(
  manager: EntityManager,
  { credential, grant }: Pick<Caller, 'credential' | 'grant'>,
  userId: number | null,
  demandProof: () => void,
): Promise<void> {
  if (userId === null || !(await isRecoveredByContacts(manager, userId))) return;
  if (credential.kind === 'login') {
    demandProof();
    return;
  }
  assertNoSupport({ credential, grant });
  throw new AccessDenied();
}

/**
 * Call it before a contact is deleted or gets another address: recovery mail still goes to the
 * old address for some time.
 */
export async function keepForRecovery(
  manager: EntityManager,
  { id, type, userId }: Pick<Contact, 'id' | 'type' | 'userId'>,
): Promise<void> {
  if (type !== 'email' || userId === null) return;
  if (await isRecoveredByContacts(manager, userId)) await manager.query(KEEP, [id]);
}
