import type { EntityManager } from 'typeorm';
import { RECOVERY_CONTACT_AGE } from '@app/people/users/mailboxes';
import { AccessDenied } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/impersonation';

/** SQL condition: mail to the user with an id goes to contacts, because its name is no e-mail address. */
export const isMailedByContacts = (userId: string): string => `EXISTS (
    SELECT FROM users u CROSS JOIN LATERAL mailbox_of(u) box WHERE u.id = ${userId} AND box.name NOT LIKE '%@%')`;

const IS_MAILED = `SELECT ${isMailedByContacts('$1')} AS "isMailed"`;

/** Stores the address of the contact $1, if recovery mail may go there. */
const KEEP = `
  INSERT INTO former_contacts (user_id, name, since)
  SELECT user_id, name, greatest(created_at, address_changed_at) FROM contacts
  WHERE id = $1 AND type = 'email'
    AND greatest(created_at, address_changed_at) <= now() - interval '${RECOVERY_CONTACT_AGE}'`;

/**
 * Throws 403 for a credential that would change where recovery mail goes. Only a person may lead to a new
 * password.
 * @param isMailed whether mail to the user of the contact goes to contacts
 */
export function assertMayChangeContacts(
  caller: Pick<Caller, 'credential' | 'impersonator'>,
  isMailed: boolean,
): void {
  if (!isMailed || caller.credential.kind === 'login') return;
  assertActsItself(caller);
  throw new AccessDenied();
}

/** The same for a new contact of a user; null: of an organisation. */
export async function assertMayAddContact(
  manager: EntityManager,
  caller: Pick<Caller, 'credential' | 'impersonator'>,
  userId: number | null,
): Promise<void> {
  if (userId === null) return;
  const [user] = await manager.query<{ isMailed: boolean }[]>(IS_MAILED, [userId]);
  assertMayChangeContacts(caller, user?.isMailed === true);
}

/**
 * Call it before a contact that gets recovery mail is deleted or gets another address: the mail still goes to
 * the old address for some time.
 */
export async function keepForRecovery(manager: EntityManager, contactId: number): Promise<void> {
  await manager.query(KEEP, [contactId]);
}
