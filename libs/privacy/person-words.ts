import { isPlainEmailAddress } from '@app/core/text/email-address';

/** Texts by which a person is known. */
export interface KnownAs {
  readonly usernames: ReadonlySet<string>;
  /** E-mail addresses and phone numbers, user names that are addresses among them. */
  readonly addresses: ReadonlySet<string>;
  /** Whole names and names of chat channels: others may share them. */
  readonly names: ReadonlySet<string>;
}

/** What was stored of a person at one time: a row, or the columns of one that a change touched. */
export type PersonColumns = Readonly<Record<string, unknown>>;

/** What the audit log leaves where a text was erased. */
const ERASED = '(erased)';

/** The least digits of a phone number that is looked for in texts. */
const PHONE_NUMBER = /^\+?[\d ().-]{7,}$/;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && !value.includes(ERASED) ? value.trim() : undefined;

/** Collects the words of a person from rows, older ones too. */
export class PersonWords implements KnownAs {
  readonly usernames = new Set<string>();
  readonly addresses = new Set<string>();
  readonly names = new Set<string>();

  addUser({ username, first_name: firstName, last_name: lastName }: PersonColumns): void {
    this.addUsername(username);
    const [first, last] = [textOf(firstName), textOf(lastName)];
    if (first !== undefined && last !== undefined) this.names.add(`${first} ${last}`.toLowerCase());
  }

  addUsername(value: unknown): void {
    const name = textOf(value);
    if (name === undefined) return;
    this.usernames.add(name.toLowerCase());
    this.addAddress(name);
  }

  /** An e-mail address or a phone number is one wherever it stands; anything else may mean something else there. */
  addAddress(value: unknown): void {
    const text = textOf(value)?.toLowerCase();
    if (text === undefined) return;
    if (isPlainEmailAddress(text) || text.includes('@', 1) || PHONE_NUMBER.test(text))
      this.addresses.add(text);
    else this.names.add(text);
  }

  /** Leaves out what others have too. */
  without(shared: ReadonlySet<string>): KnownAs {
    const own = (words: ReadonlySet<string>) => new Set([...words].filter((word) => !shared.has(word)));
    return { usernames: own(this.usernames), addresses: own(this.addresses), names: own(this.names) };
  }
}

/** A pattern of PostgreSQL that finds words where they stand by themselves; one that finds nothing for none. */
export function patternOf(words: Iterable<string>): string {
  const escaped = [...new Set(words)]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&'));
  // A full stop behind an address ends a sentence, unless the address goes on behind it.
  return escaped.length === 0 ? '(?!x)x' : `(?<![\\w.+@-])(?:${escaped.join('|')})(?![\\w@-]|\\.\\w)`;
}
