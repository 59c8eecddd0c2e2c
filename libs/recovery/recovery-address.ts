import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/core/text/email-address';

/** How long a contact must have stood before it is a way in: time enough for news of it to be read. */
const STANDING = '72 hours';

const OLDEST_CONTACT = `
  SELECT name FROM contacts
  WHERE user_id = $1 AND type = 'email'
    AND greatest(created_at, address_changed_at) <= now() - interval '${STANDING}'
  ORDER BY greatest(created_at, address_changed_at), id LIMIT 1`;

/**
 * Where mail goes that lets a user in: to its name, or where that is no address to its oldest e-mail contact that has
 * stood for a while (decisions.md section 11). Undefined where there is none.
 */
export async function recoveryAddressOf(
  manager: EntityManager,
  userId: number,
  username: string,
): Promise<string | undefined> {
  if (isPlainEmailAddress(username)) return username;
  const [contact] = await manager.query<{ name: string }[]>(OLDEST_CONTACT, [userId]);
  return contact !== undefined && isPlainEmailAddress(contact.name) ? contact.name : undefined;
}
