import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/formats/email-address';
import type { NameState } from './proved-names';
import { recoveryEmailOf } from './recovery-email';
import type { Language } from './user.types';

/** An address of a user's own account. */
export interface OwnAddress {
  readonly value: string;
  /** Mails to an unproved address hold no text that a user chose: it may be the address of a stranger. */
  readonly isProved: boolean;
}

/** Mails to this domain reach nobody (RFC 2606). Users whose name was taken have names in it. */
export const isMailable = (name: string): boolean =>
  isPlainEmailAddress(name) && !name.toLowerCase().endsWith('@name.invalid');

/**
 * The user names that news of the own account go to (rule recovery 63): the present one, and while it is
 * unproved and its user gave it, the last proved one too.
 */
export function ownAddressesOf({ username, toldName, nameGivenBy }: NameState): OwnAddress[] {
  const present = { value: username, isProved: toldName === null };
  const told = nameGivenBy === 'self' && toldName !== null ? [{ value: toldName, isProved: true }] : [];
  return [present, ...told].filter(({ value }) => isMailable(value));
}

/** An address that news of the own account go to. */
export interface NewsAddress extends OwnAddress {
  /**
   * Whether a link that undoes something goes there: to what is proved, and to the name that somebody else
   * gave, which is the only address of its account. An unproved name that its user gave may be a thief's.
   */
  readonly getsLinks: boolean;
}

/**
 * Where news of the own account and of logins go: the user names, and for one without an address the contact
 * that recovery uses. The one place that decides this.
 */
export async function newsAddressesOf(
  manager: EntityManager,
  user: NameState & { readonly id: number },
): Promise<NewsAddress[]> {
  const { id, username, toldName, nameGivenBy } = user;
  const isTold = nameGivenBy === 'self' && toldName !== null && toldName !== '';
  const addresses = ownAddressesOf(user);
  for (const name of isTold ? [username, toldName] : [username]) {
    if (isPlainEmailAddress(name)) continue;
    const value = await recoveryEmailOf(manager, id, name);
    if (value !== undefined) addresses.push({ value, isProved: true });
  }
  const different = new Map(addresses.map((address) => [address.value.toLowerCase(), address])).values();
  return [...different].map(({ value, isProved }) => ({
    value,
    isProved,
    getsLinks: isProved || nameGivenBy === 'other',
  }));
}

/** The user with its addresses, for mails. */
export interface OwnMailbox {
  readonly fullName: string;
  readonly language: Language;
  readonly addresses: readonly NewsAddress[];
}

const NAMES = `
  SELECT id, username, told_name AS "toldName", name_given_by AS "nameGivenBy",
    first_name || ' ' || last_name AS "fullName", language
  FROM users WHERE id = $1`;

/** The addresses of the user's own account as this transaction has them. Undefined for an unknown user. */
export async function ownMailboxOf(manager: EntityManager, userId: number): Promise<OwnMailbox | undefined> {
  const [user] = await manager.query<(NameState & { id: number } & Omit<OwnMailbox, 'addresses'>)[]>(NAMES, [
    userId,
  ]);
  if (user === undefined) return undefined;
  const { fullName, language } = user;
  return { fullName, language, addresses: await newsAddressesOf(manager, user) };
}
