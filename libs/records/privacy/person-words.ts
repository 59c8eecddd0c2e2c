import { inOwnLetters } from '@app/platform/dto/email-domains';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';

/** Texts that name a person. */
export interface PersonIdentifiers {
  readonly usernames: ReadonlySet<string>;
  /** E-mail addresses (user names among them) and phone numbers. */
  readonly addresses: ReadonlySet<string>;
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

/** Collects the names and addresses of a person from present and former rows. */
export class PersonWords implements PersonIdentifiers {
  readonly usernames = new Set<string>();
  readonly addresses = new Set<string>();
  readonly names = new Set<string>();

  addUser({
    username,
    told_name: toldName,
    first_name: firstName,
    last_name: lastName,
  }: PersonColumns): void {
    this.addUsername(username);
    this.addUsername(toldName);
    const [first, last] = [textOf(firstName), textOf(lastName)];
    if (first !== undefined && last !== undefined) this.names.add(`${first} ${last}`.toLowerCase());
  }

  addUsername(value: unknown): void {
    const name = textOf(value);
    if (name === undefined) return;
    this.usernames.add(name.toLowerCase());
    this.addAddress(name);
  }

  /** E-mail addresses and phone numbers are unambiguous in any text. Other texts count as names. */
  addAddress(value: unknown): void {
    const text = textOf(value)?.toLowerCase();
    if (text === undefined) return;
    if (isPlainEmailAddress(text) || text.includes('@', 1) || PHONE_NUMBER.test(text)) {
      this.addresses.add(text);
      // Texts that people wrote hold the domain in its own letters.
      const letters = inOwnLetters(text);
      if (letters !== undefined) this.addresses.add(letters);
    } else this.names.add(text);
  }

  addKnown({ usernames, addresses, names }: KnownWords): void {
    for (const word of usernames) this.usernames.add(word);
    for (const word of addresses) this.addresses.add(word);
    for (const word of names) this.names.add(word);
  }

  lists(): KnownWords {
    return { usernames: [...this.usernames], addresses: [...this.addresses], names: [...this.names] };
  }

  /** The words without the shared words. */
  without(shared: ReadonlySet<string>): PersonIdentifiers {
    const own = (words: ReadonlySet<string>) => new Set([...words].filter((word) => !shared.has(word)));
    return { usernames: own(this.usernames), addresses: own(this.addresses), names: own(this.names) };
  }
}

/** A PostgreSQL pattern that matches whole words; without words it matches nothing. */
export function patternOf(words: Iterable<string>): string {
  const escaped = [...new Set(words)]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&'));
  // A full stop after an address ends the sentence, unless another character follows.
  return escaped.length === 0 ? '(?!x)x' : `(?<![\\w.+@-])(?:${escaped.join('|')})(?![\\w@-]|\\.\\w)`;
}
