import { fault, type Fault } from '../errors/api-error';

/** The items of a comma-separated field such as `autoRoles`: trimmed, no empty ones, each once, in order. */
export function parseCsvList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
}

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

/** Control characters and separators of lines and paragraphs. NUL is left to the check of what can be stored. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** The fault of a name of an organisation or person: names stand in the text of mails, where a line break begins a new text. */
export const validateName = (name: string): Fault | undefined =>
  NOT_IN_A_NAME.test(name.replaceAll('\0', ''))
    ? fault('FORBIDDEN_CHARACTER', 'A name should not hold control characters or line breaks.')
    : undefined;

/** The fault of a first or last name of a person, which is no link either. */
export const validatePersonName = (name: string): Fault | undefined =>
  validateName(name) ??
  (name.includes('://')
    ? fault('FORBIDDEN_CHARACTER', 'A name of a person should not hold a link (://).')
    : undefined);

/** RFC 5321 section 4.5.3.1, with the erratum that leaves 254 for the address. */
export const EMAIL_MAX_LENGTH = 254;
const LOCAL_PART_MAX_LENGTH = 64;

/** Dot-atom of RFC 5322: no quotes, no comments, no dot at an end or doubled. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Letters, or the ASCII form of an internationalised name, so that 10.0.0.1 is no domain. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/**
 * Whether the text is a plain e-mail address, safe in a header and an SMTP command. Nothing is trimmed.
 *
 * ASCII only: an internationalised domain has its `xn--` form. Otherwise one mailbox would have two spellings, and a unique name
 * could be taken twice. JavaScript and PostgreSQL lower-case ASCII alike.
 */
export function isPlainEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  if (localPart.length > LOCAL_PART_MAX_LENGTH || !LOCAL_PART.test(localPart)) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(labels.at(-1) ?? '')
  );
}

/** The e-mail address of a user: its user name, or empty for a login name. */
export const emailOf = (username: string): string => (username.includes('@') ? username : '');
