import type { EntityManager } from 'typeorm';
import { canonicalContact } from './address-rules';
import { CONTACT_GROUPS } from './contact.types';

/** A user with its user name. */
interface NamedUser {
  readonly userId: number;
  readonly address: string;
}

const INSERT = `
  INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
  SELECT u.organisation_id, u.id, 'email', first.name, first."uniqueKey", $2
  FROM jsonb_to_recordset($1::jsonb) AS first ("userId" integer, name text, "uniqueKey" text)
  JOIN users u ON u.id = first."userId"
  ON CONFLICT DO NOTHING`;

/**
 * Adds an e-mail contact with all groups enabled to new users (rule contacts 9). Skips user names that
 * are no e-mail addresses, such as login names of Variant B, and existing contacts.
 */
export async function addFirstContacts(manager: EntityManager, users: readonly NamedUser[]): Promise<void> {
  const contacts = users.flatMap(({ userId, address }) => {
    const contact = canonicalContact('email', address);
    return contact.error ? [] : [{ userId, name: contact.canonical, uniqueKey: contact.uniqueKey }];
  });
  if (contacts.length === 0) return;
  await manager.query(INSERT, [JSON.stringify(contacts), [...CONTACT_GROUPS]]);
}

/** Like {@link addFirstContacts}, for one user. */
export const addFirstContact = (manager: EntityManager, userId: number, address: string): Promise<void> =>
  addFirstContacts(manager, [{ userId, address }]);
