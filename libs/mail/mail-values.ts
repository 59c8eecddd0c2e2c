import { addressForPeople } from '@app/formats/email-domains';
import type { MailLanguage } from './mail.types';

/**
 * Fills `{name}` in the template of a link. It encodes the values, so none can become another part of the
 * URL. Links come from settings, never from a request's Host header (rule pages 2).
 */
export function linkFrom(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}

/** The locales of dates as people in the Netherlands, Belgium and Britain write them. */
const LOCALES: Readonly<Record<MailLanguage, string>> = { nl: 'nl-NL', en: 'en-GB', fr: 'fr-BE' };

/** Its words for zones are those that people in Europe know; French has `UTC+1` for CET. */
const LOCALE_OF_ZONES = LOCALES.en;

/**
 * A time to the minute with its zone, because the reader may be elsewhere: `22 december 2026 om 14:05 CET`.
 * The word for the zone is the same in all languages.
 */
export function dateIn(language: MailLanguage, date: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(date);
  // In French the first of a month is an ordinal.
  const told = language === 'fr' ? text.replace(/^1 /, '1er ') : text;
  return `${told} ${zoneIn(date, timeZone)}`;
}

function zoneIn(date: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(LOCALE_OF_ZONES, { timeZone, timeZoneName: 'short' }).formatToParts(
    date,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Line ends and other control characters. In a subject they could begin another header. */
export const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * A text that a user chose, so that mail programs make no link of it: `https: //`,
 * `www .` (rule notifications 42).
 */
export const unlinked = (text: string): string =>
  text.replaceAll('://', ': //').replaceAll(/www\./gi, (found) => `${found.slice(0, -1)} .`);

const QUOTATION_MARKS: Readonly<Record<MailLanguage, readonly [begin: string, end: string]>> = {
  nl: ['“', '”'],
  en: ['“', '”'],
  fr: ['«\u00a0', '\u00a0»'],
};

/** Characters of a name that strangers are shown. */
const MOST_SHOWN = 50;

/**
 * A name that a user chose, for somebody who may not know that user: quoted and cut, and with a blank after
 * each dot within it, so that mail programs make no link of it (rule notifications 48).
 */
export function quotedInShort(language: MailLanguage, text: string): string {
  const characters = [...text];
  const shown = characters.length > MOST_SHOWN ? [...characters.slice(0, MOST_SHOWN - 1), '…'] : characters;
  return quoted(language, shown.join('')).replaceAll(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '. ');
}

/** Marks that would end the quotation within it. */
const ANY_QUOTATION_MARK = /["“”„‟«»]/g;

/**
 * A text that a user chose as the service's own notifications show it: in quotation marks, in one line and
 * without a link; an address also in its own letters.
 */
export function quoted(language: MailLanguage, text: string): string {
  const [begin, end] = QUOTATION_MARKS[language];
  const words = addressForPeople(text)
    .replaceAll(NOT_IN_A_LINE, ' ')
    .replaceAll(ANY_QUOTATION_MARK, "'")
    .trim();
  return `${begin}${unlinked(words)}${end}`;
}
