import type { EntityManager } from 'typeorm';
import { contactAddress } from './address-rules';
import { CONTACT_GROUPS } from './contact.types';

/**
 * Gives a new user an e-mail contact with all groups enabled (decisions.md section 5). Does nothing when the
 * address is no e-mail address, as the login names of Variant B, or when the user has this contact already.
 */
export async function addFirstContact(
  manager: EntityManager,
  userId: number,
  address: string,
): Promise<void> {
  const contact = contactAddress('email', address);
  if ('error' in contact) return;
  await manager.query(
    `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
     SELECT organisation_id, id, 'email', $2, $3, $4 FROM users WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [userId, contact.canonical, contact.uniqueKey, [...CONTACT_GROUPS]],
  );
}
