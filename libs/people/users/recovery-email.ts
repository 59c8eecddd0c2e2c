import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/formats/email-address';

/**
 * The age from which a contact gets recovery mail, and the time for which a removed one still gets it. In
 * that time the user can read the notification of the change.
 */
export const RECOVERY_CONTACT_AGE = '72 hours';

/** A contact of sufficient age still counts for the same time after its removal. */
const OLDEST_CONTACT = `
  SELECT name FROM (
    SELECT id, name, greatest(created_at, address_changed_at) AS since FROM contacts
    WHERE user_id = $1 AND type = 'email'
      AND greatest(created_at, address_changed_at) <= now() - interval '${RECOVERY_CONTACT_AGE}'
    UNION ALL
    SELECT id, name, since FROM former_contacts
    WHERE user_id = $1 AND removed_at > now() - interval '${RECOVERY_CONTACT_AGE}'
  ) contact ORDER BY since, id LIMIT 1`;

/**
 * The e-mail address for recovery mail: the user name, or for a login name the oldest e-mail
 * contact of a certain age. A removed contact counts for some time (rule recovery 4, rule recovery 5).
 * Undefined without one.
 */
export async function recoveryEmailOf(
  manager: EntityManager,
  userId: number,
  username: string,
): Promise<string | undefined> {
  if (isPlainEmailAddress(username)) return username;
  const [contact] = await manager.query<{ name: string }[]>(OLDEST_CONTACT, [userId]);
  return contact !== undefined && isPlainEmailAddress(contact.name) ? contact.name : undefined;
}
