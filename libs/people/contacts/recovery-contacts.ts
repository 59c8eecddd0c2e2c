import type { EntityManager } from 'typeorm';
import { RECOVERY_CONTACT_AGE } from '@app/people/users/mailboxes';
import { AccessDenied } from '@app/platform/errors/api-error';
import { assertNoSupport } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';

const IS_MAILED_BY_CONTACTS = `
  SELECT FROM users u CROSS JOIN LATERAL mailbox_of(u) box WHERE u.id = $1 AND box.name NOT LIKE '%@%'`;

/** Stores the address of the contact $1, if recovery mail may go there. */
const KEEP = `
  INSERT INTO former_contacts (user_id, name, since)
  SELECT user_id, name, greatest(created_at, address_changed_at) FROM contacts
  WHERE id = $1 AND type = 'email'
    AND greatest(created_at, address_changed_at) <= now() - interval '${RECOVERY_CONTACT_AGE}'`;

/**
 * Throws 403 for a credential that would change where recovery mail goes, and calls `demandProof` for a
 * login. Only a person may lead to a new password. Returns whether recovery mail of the user goes to
 * contacts, because the user name is no e-mail address.
 */
export async function assertMayChangeContacts(
  manager: EntityManager,
  { credential, grant }: Pick<Caller, 'credential' | 'grant'>,
  userId: number | null,
  demandProof: () => void,
): Promise<boolean> {
  if (userId === null) return false;
  const mailed = await manager.query<object[]>(IS_MAILED_BY_CONTACTS, [userId]);
  if (mailed.length === 0) return false;
  if (credential.kind === 'login') {
    demandProof();
    return true;
  }
  assertNoSupport({ credential, grant });
  throw new AccessDenied();
}

/**
 * Call it before a contact that gets recovery mail is deleted or gets another address: the mail still goes to
 * the old address for some time.
 */
export async function keepForRecovery(manager: EntityManager, contactId: number): Promise<void> {
  await manager.query(KEEP, [contactId]);
}
