import { domainToASCII, domainToUnicode } from 'node:url';
import { DOMAIN_MAX_LENGTH } from './email-address';

/**
 * The characters that are left to UTS 46: in ASCII those of host names alone, because `domainToASCII` takes a
 * slash, a backslash or a question mark for the end of the host, leaves tabs out and decodes `%2e`.
 */
const LEFT_TO_UTS46 = /^[A-Za-z0-9.\-\u{80}-\u{10ffff}]+$/u;
const ASCII_ALONE = /^\p{ASCII}*$/u;

function partsOf(address: string): [localPart: string, domain: string] {
  const at = address.lastIndexOf('@');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}

/**
 * The address with its domain in ASCII, in which it is stored and compared (rule requests 33). A domain of
 * ASCII alone stays as it was sent, and so does all that is too long or that UTS 46 refuses, which is no
 * address then.
 */
export function withAsciiDomain(address: string): string {
  const [localPart, domain] = partsOf(address);
  if (ASCII_ALONE.test(domain) || domain.length > DOMAIN_MAX_LENGTH || !LEFT_TO_UTS46.test(domain))
    return address;
  const inAscii = domainToASCII(domain);
  return inAscii === '' ? address : `${localPart}@${inAscii}`;
}

/**
 * The texts that a search looks for: what was sent, and for an address with other
 * letters also its stored form.
 */
export function searchedForms(text: string): readonly string[] {
  const stored = withAsciiDomain(text);
  return stored === text ? [text] : [text, stored];
}

/**
 * The address with its domain in the letters of its owner. Undefined for one that has no others, and where
 * the letters lead to another domain.
 */
export function inOwnLetters(address: string): string | undefined {
  const [localPart, domain] = partsOf(address);
  const inAscii = domain.toLowerCase();
  if (!inAscii.includes('xn--')) return undefined;
  const letters = domainToUnicode(inAscii);
  return !ASCII_ALONE.test(letters) && domainToASCII(letters) === inAscii
    ? `${localPart}@${letters}`
    : undefined;
}

/**
 * An address as people read it, its ASCII form beside it: look-alikes of other scripts
 * show there. Other texts stay.
 */
export function addressForPeople(address: string): string {
  const letters = inOwnLetters(address);
  return letters === undefined ? address : `${letters} (${address})`;
}
