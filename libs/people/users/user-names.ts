import { validateName } from '@app/platform/dto/text-rules';
import { fault, type Fault } from '@app/platform/errors/api-error';

/** Longest login name in characters; an e-mail address in its place may be longer (EMAIL_MAX_LENGTH). */
const LOGIN_NAME_MAX_LENGTH = 180;

const LOGIN_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/i;

/**
 * Whether the text is a login name of Variant B: ASCII letters, digits, dot, underscore and hyphen, beginning with a letter or
 * digit and not ending with a dot.
 *
 * Without `@` a login name differs from every e-mail address. JavaScript and PostgreSQL compare ASCII alike without case, and it
 * has no look-alikes of other scripts. Digits alone are allowed: older panels use customer numbers as login names.
 */
export function isLoginName(text: string): boolean {
  return text.length <= LOGIN_NAME_MAX_LENGTH && LOGIN_NAME.test(text);
}

/** The name of a person as responses, mails and notifications show it. */
export const fullNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

/** The fault of a first or last name of a person, which is no link either. */
export const validatePersonName = (name: string): Fault | undefined =>
  validateName(name) ??
  (name.includes('://')
    ? fault('FORBIDDEN_CHARACTER', 'A name of a person should not hold a link (://).')
    : undefined);
