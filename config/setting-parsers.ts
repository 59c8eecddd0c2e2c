import { resolve } from 'node:path';
import addressparser from 'nodemailer/lib/addressparser';
import { urlsOfHosts } from '@app/formats/connection-string';
import { isPlainEmailAddress, mailtoOf } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { AddressList } from '@app/formats/ip-address';
import { PANEL } from '@app/formats/panel-link';
import { type InvalidSecretsKey, secretsKeysIn } from './secrets-keys';
import type { Parse } from './setting';

const fail = (problem: string): never => {
  throw new Error(problem);
};

export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be a whole number from ${min} to ${max}`);
  };

export const hourlyLimit: Parse<number | 'off'> = (text) =>
  text.toLowerCase() === 'off' ? 'off' : wholeNumber(1, 1_000_000)(text);

export const oneOf =
  <T extends string>(...allowed: T[]): Parse<T> =>
  (text) =>
    allowed.find((value) => value === text) ?? fail(`must be one of ${allowed.join(', ')}`);

const SWITCH_WORDS = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

export const onOff: Parse<boolean> = (text) =>
  SWITCH_WORDS.get(text.toLowerCase()) ?? fail('must be on, off, true or false');

const SECONDS_PER_UNIT: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** The longest duration of any setting, in seconds: ten years. */
const MAX_DURATION = 3650 * 86_400;

/** `90s`, `15m`, `24h`, `30d` to seconds; not a number for another text. */
const secondsIn = (text: string): number => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return Number(count) * (SECONDS_PER_UNIT[unit ?? ''] ?? Number.NaN);
};

export const duration: Parse<number> = (text) => {
  const seconds = secondsIn(text);
  return seconds >= 1 && seconds <= MAX_DURATION
    ? seconds
    : fail('must be a duration such as 90s, 15m, 24h or 30d');
};

const commaSeparated: Parse<readonly string[]> = (text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The shortest retention, in seconds. The database keeps audit rows for this time in any case. */
const LEAST_RETENTION = 30 * 86_400;

/** Seconds that rows stay. */
export const retention: Parse<number> = (text) => {
  const seconds = secondsIn(text);
  return seconds >= LEAST_RETENTION && seconds <= MAX_DURATION
    ? seconds
    : fail('must be a duration from 30d to 3650d');
};

export const addressList: Parse<readonly string[]> = (text) => {
  const entries = commaSeparated(text);
  try {
    AddressList.of(entries);
  } catch (error) {
    return fail(`must list addresses and CIDR ranges (${(error as Error).message})`);
  }
  return entries;
};

/** Whether a URL cannot be read because its password holds a character that ends that part of a URL. */
function hasBarePassword(text: string): boolean {
  if (!URL.canParse(text)) return /^[a-z][\w+.-]*:\/\/[^@]*[#/?][^@]*@/i.test(text);
  // Digits before such a character are read as a port: user:12#3@host.
  const { username, pathname, hash } = new URL(text);
  return username === '' && `${pathname}${hash}`.includes('@');
}

const BARE_PASSWORD = 'must have %23 for #, %2F for / and %3F for ? in a name or password';

export const urlWith =
  (...protocols: string[]): Parse<string> =>
  (text) => {
    if (hasBarePassword(text)) return fail(BARE_PASSWORD);
    const protocol = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
    return protocol !== undefined && protocols.includes(protocol)
      ? text
      : fail(`must be a URL starting with ${protocols.map((name) => `${name}://`).join(' or ')}`);
  };

/** One server, or several of which one is the primary. */
export const databaseUrl: Parse<string> = (text) => {
  if (hasBarePassword(text)) return fail(BARE_PASSWORD);
  urlsOfHosts(text);
  return isDecodable(text.replace(/\?.*/, ''))
    ? text
    : fail('must have %25 for each % in a name or password');
};

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

export const urlTemplate: Parse<string> = (text) =>
  text.includes('{token}') && URL.canParse(text.replaceAll(/[{}]/g, ''))
    ? text
    : fail('must be an absolute URL that contains {token}');

/** A template that may begin with the URL of the panel, which each mail fills in when it is sent. */
export const panelTemplate: Parse<string> = (text) => {
  const rest = text.startsWith(PANEL) ? text.slice(PANEL.length) : undefined;
  if (rest === undefined ? text.includes(PANEL) : rest.includes(PANEL) || !rest.startsWith('/'))
    return fail('must have {panel} only at its beginning, with a slash behind it');
  urlTemplate(rest === undefined ? text : `https://panel${rest}`);
  return text;
};

/** A URL without a slash at the end. */
export const baseUrl: Parse<string> = (text) => {
  const url = urlWith('http', 'https')(text);
  return new URL(url).search === '' && new URL(url).hash === ''
    ? url.replace(/\/+$/, '')
    : fail('must be a URL without ? and #');
};

/** The part of the service's URL before `/v1`. */
export const publicUrl: Parse<string> = (text) => {
  const url = baseUrl(text);
  return url.endsWith('/v1') ? fail('must not end in /v1, which links add') : url;
};

/**
 * Origins as browsers send them, because another form would never match. Apps in a web
 * view have their own schemes.
 */
export const originList: Parse<readonly string[]> = (text) => {
  const origins = commaSeparated(text);
  return origins.every(isOrigin)
    ? origins
    : fail(
        'must list origins as browsers send them, such as https://panel.example.com: scheme and host in lower case, no path',
      );
};

const isOrigin = (text: string): boolean =>
  /^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
    : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/.test(text);

/**
 * The address with its domain in ASCII; undefined for a text that is none. The local part may only be of
 * ASCII (rule requests 32): few mail servers take another one, and all mails would stay.
 */
function emailAddressIn(text: string): string | undefined {
  const address = withAsciiDomain(text);
  return /^[!#-;=?A-~]+@[!-;=?A-~]+$/.test(address) ? address : undefined;
}

export const emailAddress: Parse<string> = (text) =>
  emailAddressIn(text) ?? fail('must be an e-mail address');

/** A URL that people open, as browsers write it. */
export const webPage: Parse<string> = (text) => new URL(urlWith('http', 'https')(text)).href;

/** A URL that people open: of a page, or `mailto:` for an address. */
export const pageOrAddress: Parse<string> = (text) => {
  const address = withAsciiDomain(text);
  if (isPlainEmailAddress(address)) return mailtoOf(address);
  return /^https?:/i.test(text) ? webPage(text) : fail('must be an http or https URL, or an e-mail address');
};

/** Maximum length of a name at the top of pages and mails. */
const MAX_NAME_LENGTH = 100;

const isInOneLine = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

export const companyName: Parse<string> = (text) =>
  text.length <= MAX_NAME_LENGTH && isInOneLine(text)
    ? text
    : fail(`must be one line of at most ${MAX_NAME_LENGTH} characters`);

/** An address, alone or after a name, which needs quotes if it has characters such as parentheses. */
export const mailSender: Parse<{ mailFrom: string; name: string | undefined }> = (text) => {
  const [{ name, address } = { name: '', address: '' }] = addressparser(text, { flatten: true });
  if (name.length > MAX_NAME_LENGTH || !isInOneLine(text))
    return fail(`must be one line, with a name of at most ${MAX_NAME_LENGTH} characters`);
  // The parser repairs and leaves out: only what it has taken as it is counts.
  const wholes = [address, `${name} <${address}>`, `${JSON.stringify(name)} <${address}>`];
  const mailFrom = emailAddressIn(address);
  return wholes.includes(text) && mailFrom !== undefined
    ? { mailFrom, name: name === '' ? undefined : name }
    : fail('must be an e-mail address, alone or as in "Example Hosting (NL)" <no-reply@example.com>');
};

export const timeZone: Parse<string> = (text) => {
  try {
    // Offsets such as +01:00 have no summer time.
    return /^[a-z]/i.test(text)
      ? new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
      : fail('');
  } catch {
    return fail('must be a time zone of the IANA list, such as Europe/Brussels');
  }
};

export const anyText: Parse<string> = (text) => text;

/** An absolute path. */
export const folder: Parse<string> = (text) => resolve(text);

export const secretsKeys: Parse<string> = (text) => {
  try {
    secretsKeysIn(text);
  } catch (error) {
    return fail(`cannot be used: ${(error as InvalidSecretsKey).reason}`);
  }
  return text;
};
