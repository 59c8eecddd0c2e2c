import type { EntityManager } from 'typeorm';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { inOwnLetters } from '@app/formats/email-domains';

/** Texts that name a person, in the form of `fold_case`. */
export interface PersonIdentifiers {
  readonly usernames: ReadonlySet<string>;
  /** E-mail addresses (user names among them) and phone numbers. */
  readonly addresses: ReadonlySet<string>;
  /** The addresses that were verified user names. */
  readonly verified: ReadonlySet<string>;
  /** Full names and chat names, which other people may also have. */
  readonly names: ReadonlySet<string>;
}

/** The words as lists, for storage. */
export type KnownWords = { readonly [Kind in keyof PersonIdentifiers]: readonly string[] };

/** A row of a person, or the columns of a change. */
export type PersonColumns = Readonly<Record<string, unknown>>;

/** Replaces erased texts in the audit log. */
const ERASED = '(erased)';

/** Texts that count as a phone number. Shorter ones are too common. */
const PHONE_NUMBER = /^\+?[\d ().-]{7,}$/;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && !value.includes(ERASED) ? value.trim() : undefined;

/** Collects the names and addresses of a person from present and former rows, as they are written. */
export class PersonWords {
  private readonly usernames = new Set<string>();
  private readonly addresses = new Set<string>();
  private readonly verified = new Set<string>();
  private readonly names = new Set<string>();

  addUser(
    { username, former_username: formerUsername, first_name: firstName, last_name: lastName }: PersonColumns,
    isVerified: boolean,
  ): void {
    if (isVerified) this.addVerifiedName(username);
    else this.addUsername(username);
    this.addVerifiedName(formerUsername);
    const first = textOf(firstName);
    const last = textOf(lastName);
    if (first !== undefined && last !== undefined) this.names.add(`${first} ${last}`);
  }

  addUsername(value: unknown): void {
    const name = textOf(value);
    if (name === undefined) return;
    this.usernames.add(name);
    this.addAddress(name);
  }

  addVerifiedName(value: unknown): void {
    this.addUsername(value);
    const name = textOf(value);
    if (name === undefined) return;
    for (const word of [name, inOwnLetters(name)])
      if (word !== undefined && this.addresses.has(word)) this.verified.add(word);
  }

  /** E-mail addresses and phone numbers are unambiguous in any text. Other texts count as names. */
  addAddress(value: unknown): void {
    const text = textOf(value);
    if (text === undefined) return;
    if (isPlainEmailAddress(text) || text.includes('@', 1) || PHONE_NUMBER.test(text)) {
      this.addresses.add(text);
      // Texts that people wrote hold the domain in its own letters.
      const letters = inOwnLetters(text);
      if (letters !== undefined) this.addresses.add(letters);
    } else this.names.add(text);
  }

  addKnown({ usernames, addresses, verified, names }: KnownWords): void {
    for (const word of usernames) this.usernames.add(word);
    for (const word of addresses) this.addresses.add(word);
    for (const word of verified) this.verified.add(word);
    for (const word of names) this.names.add(word);
  }

  /** The words as PostgreSQL compares them. */
  async folded(manager: EntityManager): Promise<PersonIdentifiers> {
    const fold = async (words: ReadonlySet<string>) =>
      new Set((await manager.query<{ word: string }[]>(FOLD, [[...words]])).map(({ word }) => word));
    return {
      usernames: await fold(this.usernames),
      addresses: await fold(this.addresses),
      verified: await fold(this.verified),
      names: await fold(this.names),
    };
  }
}

const FOLD = 'SELECT DISTINCT fold_case(word) AS word FROM unnest($1::text[]) AS word';

export const listsOf = ({ usernames, addresses, verified, names }: PersonIdentifiers): KnownWords => ({
  usernames: [...usernames],
  addresses: [...addresses],
  verified: [...verified],
  names: [...names],
});

/** The words without the shared words. */
export function wordsWithout(words: PersonIdentifiers, shared: ReadonlySet<string>): PersonIdentifiers {
  const own = (known: ReadonlySet<string>) => new Set([...known].filter((word) => !shared.has(word)));
  return {
    usernames: own(words.usernames),
    addresses: own(words.addresses),
    verified: own(words.verified),
    names: own(words.names),
  };
}

/** In the text of a JSON value, a quotation mark or a backslash stands behind a backslash. */
const escaped = (word: string): string =>
  word.replaceAll(/[!-/:-@[-`{-~]/g, (mark) => (/["\\]/.test(mark) ? `\\\\?\\${mark}` : `\\${mark}`));

/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** A full stop after an address ends the sentence, unless another character follows. */
const ALONE = { before: '(?<![\\w.+@-])', after: '(?![\\w@-]|\\.\\w)' };

/**
 * A PostgreSQL pattern that matches whole folded words, for `is_named_in`; without words it matches nothing.
 */
export function patternOf(words: Iterable<string>): string {
  const longestFirst = [...new Set(words)].sort((one, other) => other.length - one.length);
  const unspaced = longestFirst.filter((word) => UNSPACED.test(word));
  const spaced = longestFirst.filter((word) => !UNSPACED.test(word));
  const alternatives = unspaced.map(escaped);
  if (spaced.length > 0)
    alternatives.push(`${ALONE.before}(?:${spaced.map(escaped).join('|')})${ALONE.after}`);
  return alternatives.length === 0 ? '(?!x)x' : alternatives.join('|');
}
