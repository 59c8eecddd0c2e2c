import { NAME_RULES, type TextRule } from '@app/platform/dto/text-rules';
import { fieldError } from '@app/platform/errors/api-error';

/** Maximum length of a login name. An e-mail address in its place may be longer (EMAIL_MAX_LENGTH). */
const LOGIN_NAME_MAX_LENGTH = 180;

const LOGIN_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/i;

/**
 * Whether the text is a login name of Variant B: ASCII letters, digits, dot, underscore and hyphen. It begins
 * with a letter or digit and does not end with a dot.
 *
 * Without `@` a login name differs from every e-mail address. JavaScript and PostgreSQL compare ASCII without
 * case in the same way, and ASCII has no look-alikes of other scripts. Only digits are allowed too, because
 * older panels use customer numbers as login names.
 */
export function isLoginName(text: string): boolean {
  return text.length <= LOGIN_NAME_MAX_LENGTH && LOGIN_NAME.test(text);
}

/** The words by which notifications and the audit log name those whom a reader must not know. */
const MASKS: ReadonlySet<string> = new Set(['operator', 'manager', 'grantee']);

/** A new user name is no word for somebody else. Stored and imported names stay. */
export const IS_OWN_NAME: TextRule = {
  name: 'isOwnName',
  holds: (name) => !MASKS.has(name.trim().toLowerCase()),
  error: fieldError('RESERVED_USERNAME', 'This word stands for somebody else and is no user name.'),
};

/**
 * A new user name, or the address of an invitation, is not in the domain of users whose name was taken
 * (`UnavailableNames`).
 */
export const IS_NOT_RESERVED: TextRule = {
  name: 'isNotReserved',
  holds: (name) => !name.toLowerCase().endsWith('@name.invalid'),
  error: fieldError('ALREADY_TAKEN', 'This user name is reserved.'),
};

/** The name of a person as responses, mails and notifications show it. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

/** The rules for a person's first or last name. A name must not contain a link either. */
export const PERSON_NAME_RULES: readonly TextRule[] = [
  ...NAME_RULES,
  {
    name: 'holdsNoLink',
    holds: (name) => !name.includes('://'),
    error: fieldError('FORBIDDEN_CHARACTER', 'A name of a person should not hold a link (://).'),
  },
];
