import { validateName } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';

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

/** The error of a new user name that is a word for somebody else. Stored and imported names stay. */
export const validateOwnName = (name: string): FieldError | undefined =>
  MASKS.has(name.trim().toLowerCase())
    ? fieldError('RESERVED_USERNAME', 'This word stands for somebody else and is no user name.')
    : undefined;

/**
 * The error of a new user name, or of the address of an invitation, in the domain of users whose name
 * was taken (`ProvedNames`).
 */
export const validateNotInvalid = (name: string): FieldError | undefined =>
  name.toLowerCase().endsWith('@name.invalid')
    ? fieldError('ALREADY_TAKEN', 'This user name is reserved.')
    : undefined;

/** The name of a person as responses, mails and notifications show it. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

/** The error of a person's first or last name. A name must not contain a link either. */
export const validatePersonName = (name: string): FieldError | undefined =>
  validateName(name) ??
  (name.includes('://')
    ? fieldError('FORBIDDEN_CHARACTER', 'A name of a person should not hold a link (://).')
    : undefined);
