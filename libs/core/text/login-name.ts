/** Longest login name in characters; an e-mail address in its place may be longer (EMAIL_MAX_LENGTH). */
const LOGIN_NAME_MAX_LENGTH = 180;

const LOGIN_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/i;

/**
 * Whether the text may be a Variant B user name that is no e-mail address: ASCII letters, digits, dot,
 * underscore and hyphen, beginning with a letter or digit and not ending with a dot.
 *
 * Without `@` no login name can be mistaken for an address; ASCII compares alike without regard to case
 * in JavaScript and PostgreSQL and has no look-alikes from other scripts. Digits alone are allowed:
 * customer numbers are login names in older panels.
 */
export function isLoginName(text: string): boolean {
  return text.length <= LOGIN_NAME_MAX_LENGTH && LOGIN_NAME.test(text);
}
