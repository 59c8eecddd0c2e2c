/** RFC 5321 section 4.5.3.1, with the erratum that leaves 254 characters for the address. */
export const EMAIL_MAX_LENGTH = 254;
const LOCAL_PART_MAX_LENGTH = 64;

/** Dot-atom of RFC 5322: without quotes and comments, and without a dot at an end or doubled dots. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Letters, or the ASCII form of an internationalised name, so that 10.0.0.1 is not a domain. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/** The longest domain in DNS. */
export const DOMAIN_MAX_LENGTH = 253;

/** Whether the text is a domain name in ASCII with a dot, as in e-mail addresses. */
export function isDomainName(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= DOMAIN_MAX_LENGTH &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LABEL.test(labels.at(-1) ?? '')
  );
}

/**
 * Whether the text is a plain e-mail address, safe in a header and an SMTP command. Nothing is trimmed.
 *
 * Only ASCII: an internationalised domain has its `xn--` form. Otherwise one mailbox would
 * have two spellings, and a unique name could be taken twice. JavaScript and PostgreSQL
 * lower-case ASCII in the same way.
 */
export function isPlainEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  if (localPart.length > LOCAL_PART_MAX_LENGTH || !LOCAL_PART.test(localPart)) return false;
  return isDomainName(text.slice(at + 1));
}

/** The name, if it is an e-mail address; otherwise empty. */
export const emailOf = (name: string): string => (name.includes('@') ? name : '');

/** The link of an address. */
export const mailtoOf = (address: string): string =>
  `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
