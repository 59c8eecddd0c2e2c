import { isDomainName, isPlainEmailAddress } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';

/**
 * A URL as the URL standard writes it, so that everybody reads the same host in it. Undefined for one that
 * people could read in another way: with white space, with a backslash, or with a user before the host. Its
 * host is a domain name, no address, so that who it belongs to can be seen.
 */
function standardUrl(text: string): URL | undefined {
  if (/[\s\\]/.test(text) || !/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { username, password, hostname, port } = url;
  return username + password === '' && isDomainName(hostname) && port !== '0' ? url : undefined;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The panel as stored, without a slash at its end. A text that is none stays, for the check to refuse. */
export const canonicalPanel = (text: string): string =>
  isPanel(text) ? withoutSlash(new URL(text).href) : text;

/** Links of mails begin with it, so it has no query and no fragment. */
export const isPanel = (text: string): boolean => standardUrl(text) !== undefined && !/[?#]/.test(text);

/** The page or address as stored: domains in ASCII. A text that is neither stays, for the check to refuse. */
export const canonicalSupport = (text: string): string => standardUrl(text)?.href ?? withAsciiDomain(text);

export const isSupport = (text: string): boolean =>
  isPlainEmailAddress(text) || standardUrl(text) !== undefined;
