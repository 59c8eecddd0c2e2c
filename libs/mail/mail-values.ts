import type { MailLanguage } from './mail.types';

/**
 * Fills `{name}` in the template of a link. It encodes the values, so none can become another part of the URL. Links come from
 * settings, never from a request's Host header (decisions.md section 5).
 */
export function linkFrom(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}

/** The locales of dates as people in the Netherlands, Belgium and Britain write them. */
const LOCALES: Readonly<Record<MailLanguage, string>> = { nl: 'nl-NL', en: 'en-GB', fr: 'fr-BE' };

/** A time to the minute with its zone, because the reader may be elsewhere: `22 december 2026 om 14:05 CET`. */
export const dateIn = (language: MailLanguage, date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone,
    timeZoneName: 'short',
  }).format(date);
