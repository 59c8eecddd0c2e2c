/** RFC 5321 section 4.5.3.1, with the erratum that leaves 254 for the address. */
export const EMAIL_MAX_LENGTH = 254;
const LOCAL_PART_MAX_LENGTH = 64;

/** Dot-atom of RFC 5322: no quotes, no comments, no dot at an end or doubled. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Letters, or the ASCII form of an internationalised name; so 10.0.0.1 is no domain. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/**
 * Whether the text is an e-mail address in its plain form, safe to put into a header and an SMTP command.
 *
 * ASCII only: an internationalised domain is written in its `xn--` form. Otherwise one mailbox would have
 * two spellings and a unique name could be taken twice; ASCII also lowers the same everywhere, so that
 * JavaScript and PostgreSQL agree on "without regard to case". Nothing is trimmed.
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

/** The address of a user: its user name, or empty where that is a login name. */
export const emailOf = (username: string): string => (username.includes('@') ? username : '');
