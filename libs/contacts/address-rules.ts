import { createRequire } from 'node:module';
import { fault, type Fault } from '@app/core/errors/fault';
import { EMAIL_MAX_LENGTH, isPlainEmailAddress } from '@app/core/text/email-address';
import { lazily } from '@app/core/loading/lazily';

// The "min" metadata knows the lengths of every country, all that isPossible() asks for, and is the smallest.
const phoneNumbers = lazily(
  () => createRequire(__filename)('libphonenumber-js/min') as typeof import('libphonenumber-js/min'),
);

/** Kinds of contact, fixed at creation. */
export const CONTACT_TYPES = ['email', 'phone', 'slack'] as const;

export type ContactType = (typeof CONTACT_TYPES)[number];

export interface ContactAddress {
  /** The form to store and answer. */
  canonical: string;
  /** Equal for two spellings of one address of the same type. */
  uniqueKey: string;
}

/** Checks the name of a contact, which is the address itself; an error is for the caller. */
export function contactAddress(type: ContactType, name: string): ContactAddress | { error: Fault } {
  switch (type) {
    case 'email':
      return emailContact(name);
    case 'phone':
      return phoneContact(name);
    case 'slack':
      return slackContact(name);
  }
}

function emailContact(name: string): ContactAddress | { error: Fault } {
  if (!isPlainEmailAddress(name)) {
    return {
      error: fault(
        'INVALID_EMAIL_ADDRESS',
        `This is not a valid e-mail address (plain form, at most ${EMAIL_MAX_LENGTH} characters).`,
      ),
    };
  }
  return { canonical: name, uniqueKey: name.toLowerCase() };
}

const PHONE_PUNCTUATION = /^ *\+[0-9 ().\-/]{1,40}$/;

/**
 * Stored as E.164. A number of a possible length is enough: ranges are handed out faster than any table of
 * them is updated, and a real number must not be refused. Extensions have no E.164 form and are refused.
 */
function phoneContact(name: string): ContactAddress | { error: Fault } {
  const number = PHONE_PUNCTUATION.test(name)
    ? phoneNumbers().parsePhoneNumberFromString(name, { extract: false })
    : undefined;
  if (number === undefined || !number.isPossible()) {
    return {
      error: fault(
        'INVALID_PHONE_NUMBER',
        'This is not a phone number in international form, like +31 20 123 4567.',
      ),
    };
  }
  return { canonical: number.number, uniqueKey: number.number };
}

/** Slack's rule: lower case, at most 80 letters, digits, hyphens and underscores, not punctuation alone. */
const SLACK_CHANNEL = /^#?(?=.*[\p{L}\p{Nd}])[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}_-]{1,80}$/u;

/** The "#" is optional and kept as typed; `#ops` and `ops` are one channel. Letters of any script, as in Slack. */
function slackContact(name: string): ContactAddress | { error: Fault } {
  if (!SLACK_CHANNEL.test(name)) {
    return {
      error: fault(
        'INVALID_SLACK_CHANNEL',
        'This is not a Slack channel: up to 80 lower-case letters, digits, hyphens and underscores.',
      ),
    };
  }
  return { canonical: name, uniqueKey: name.replace(/^#/, '').normalize('NFC') };
}
