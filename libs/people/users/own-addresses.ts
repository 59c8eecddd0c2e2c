import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';
import type { NameState } from './proved-names';
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
 * The addresses that news of the own account go to (decisions.md 15.12): the user name, and while it is unproved and its user
 * gave it, the last proved name too. The one place that decides this.
 */
export function ownAddressesOf({ username, toldName, nameGivenBy }: NameState): OwnAddress[] {
  const present = { value: username, isProved: toldName === null };
  const told = nameGivenBy === 'self' && toldName !== null ? [{ value: toldName, isProved: true }] : [];
  return [present, ...told].filter(({ value }) => isMailable(value));
}

/** The user with its addresses, for mails. */
export interface OwnMailbox {
  readonly fullName: string;
  readonly language: Language;
  readonly addresses: readonly OwnAddress[];
}

const NAMES = `
  SELECT username, told_name AS "toldName", name_given_by AS "nameGivenBy", first_name || ' ' || last_name AS "fullName",
    language
  FROM users WHERE id = $1`;

/** The addresses of the user's own account as this transaction has them. Undefined for an unknown user. */
export async function ownMailboxOf(manager: EntityManager, userId: number): Promise<OwnMailbox | undefined> {
  const [user] = await manager.query<(NameState & Omit<OwnMailbox, 'addresses'>)[]>(NAMES, [userId]);
  return user && { fullName: user.fullName, language: user.language, addresses: ownAddressesOf(user) };
}

/** SQL condition on an own address of the user with an alias: nobody has proved it. */
export const isUnprovedAddress = (user: string, address: string): string =>
  `fold_case(${address}) <> fold_case(coalesce(${user}.told_name, ${user}.username))`;
