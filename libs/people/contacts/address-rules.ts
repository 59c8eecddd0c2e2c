import { createRequire } from 'node:module';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { fieldError } from '@app/platform/errors/api-error';

const load = createRequire(__filename);

/**
 * Loaded on first use, to keep the start fast. "min" is the smallest set of metadata;
 * `isPossible()` needs no more.
 */
const phoneNumbers = () => load('libphonenumber-js/min') as typeof import('libphonenumber-js/min');

/** Kinds of contact, fixed at creation. */
export const CONTACT_TYPES = ['email', 'phone', 'slack'] as const;

export type ContactType = (typeof CONTACT_TYPES)[number];

/**
 * The form to store and show (`canonical`), and a key that is equal for all spellings of one contact
 * (`uniqueKey`); or the error of the field `name`.
 */
export function canonicalContact(type: ContactType, name: string) {
  switch (type) {
    case 'email':
      return emailContact(name);
    case 'phone':
      return phoneContact(name);
    case 'slack':
      return slackContact(name);
  }
}

function emailContact(sent: string) {
  const name = withAsciiDomain(sent);
  if (!isPlainEmailAddress(name)) {
    return {
      error: fieldError(
        'INVALID_EMAIL_ADDRESS',
        'This is not a valid e-mail address (plain form, at most 254 characters).',
      ),
    };
  }
  return { canonical: name, uniqueKey: name.toLowerCase() };
}

/**
 * What phones and web pages put into numbers: marks of direction, blanks of every kind, and hyphens, soft
 * ones and minus signs among them. None of it counts (rule contacts 4).
 */
const NOT_COUNTED = /[\p{Bidi_Control}\p{Zs}\p{Pd}\u00ad\u2043\u2060\u2212\ufeff]/gu;

const PHONE_PUNCTUATION = /^\+[0-9()./]{1,40}$/;

/** The number as it is dialled, with `+` for the `00` that begins international numbers. */
const dialled = (name: string): string => name.replaceAll(NOT_COUNTED, '').replace(/^00/, '+');

/**
 * Stored as E.164. Checks only the length, so that numbers of newly assigned ranges pass. Extensions have no
 * E.164 form and are refused.
 */
function phoneContact(sent: string) {
  const name = dialled(sent);
  const number = PHONE_PUNCTUATION.test(name)
    ? phoneNumbers().parsePhoneNumberFromString(name, { extract: false })
    : undefined;
  if (number === undefined || !number.isPossible()) {
    return {
      error: fieldError(
        'INVALID_PHONE_NUMBER',
        'This is not a phone number in international form, like +31 20 123 4567.',
      ),
    };
  }
  return { canonical: String(number.number), uniqueKey: String(number.number) };
}

/**
 * Slack's rule: at most 80 letters, digits, hyphens and underscores; no upper-case letters, and at
 * least one letter or digit.
 */
const SLACK_CHANNEL = /^#?(?=.*[\p{L}\p{Nd}])[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}_-]{1,80}$/u;

/**
 * The "#" is optional and stored as typed, but `#ops` and `ops` are the same channel. Letters
 * of any script, as in Slack.
 */
function slackContact(name: string) {
  if (!SLACK_CHANNEL.test(name)) {
    return {
      error: fieldError(
        'INVALID_SLACK_CHANNEL',
        'This is not a Slack channel: up to 80 lower-case letters, digits, hyphens and underscores.',
      ),
    };
  }
  return { canonical: name, uniqueKey: name.replace(/^#/, '').normalize('NFC') };
}
