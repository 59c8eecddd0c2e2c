import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';
import { RECOVERY_CONTACT_AGE } from '@app/people/contacts/recovery-contacts';
import { isMailable, ownAddressesOf, type OwnAddress } from '@app/people/users/own-addresses';
import type { NameState } from '@app/people/users/proved-names';

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
 * The e-mail address for recovery mail: the user name, or for a login name the oldest e-mail contact of a certain age. A
 * removed contact counts for some time (decisions.md sections 11 and 13). Undefined without one.
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

/** Time in which recovery of a user with an unproved name does not go there, so that the owner of the account can act. */
const UNPROVED_RECOVERY_AGE = '72 hours';

/** A user with a name that may be unproved. */
export interface RecoveringUser extends NameState {
  readonly id: number;
  /** Whether the unproved name is younger than {@link UNPROVED_RECOVERY_AGE}. */
  readonly isNewName: boolean;
}

/** SQL for {@link RecoveringUser.isNewName} of the user with an alias. */
export const isNewName = (user: string): string =>
  `coalesce(${user}.renamed_at > now() - interval '${UNPROVED_RECOVERY_AGE}', false)`;

/** An address for recovery mail. */
export interface RecoveryAddress extends OwnAddress {
  /** Whether it is the present user name, which a followed link proves. */
  readonly isUsername: boolean;
}

/**
 * Where the recovery mail of a user goes (decisions.md 15.12): for a while to the last proved name, if its user gave the
 * unproved one; to nobody, if the last proved name is somebody else's by now.
 */
export async function recoveryAddressOf(
  manager: EntityManager,
  { id, username, toldName, nameGivenBy, isNewName: isNew }: RecoveringUser,
): Promise<RecoveryAddress | undefined> {
  const isTold = toldName !== null && nameGivenBy !== 'other' && isNew;
  if (isTold && (nameGivenBy === 'both' || toldName === '')) return undefined;
  const value = await recoveryEmailOf(manager, id, isTold ? toldName : username);
  if (value === undefined || !isMailable(value)) return undefined;
  const isUsername = value.toLowerCase() === username.toLowerCase();
  return { value, isUsername, isProved: !isUsername || toldName === null };
}

/** Where news of logins go: the own addresses, and for a name without one the contact that recovery uses. */
export async function newsAddressesOf(
  manager: EntityManager,
  user: NameState & { readonly id: number },
): Promise<OwnAddress[]> {
  const { id, username, toldName, nameGivenBy } = user;
  const isTold = nameGivenBy === 'self' && toldName !== null && toldName !== '';
  const addresses = ownAddressesOf(user);
  for (const name of isTold ? [username, toldName] : [username]) {
    if (isPlainEmailAddress(name)) continue;
    const value = await recoveryEmailOf(manager, id, name);
    if (value !== undefined) addresses.push({ value, isProved: true });
  }
  return [...new Map(addresses.map((address) => [address.value.toLowerCase(), address])).values()];
}
