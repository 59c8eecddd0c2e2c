import type { MailLanguage } from './mail.types';

/** As people in the Netherlands, Belgium and Britain write dates. */
const LOCALES: Readonly<Record<MailLanguage, string>> = { nl: 'nl-NL', en: 'en-GB', fr: 'fr-BE' };

/**
 * An instant as a mail says it, to the minute: `22 december 2026 om 14:05 UTC`. Where its reader lives is not known, so
 * that the zone is named.
 */
export const dateIn = (language: MailLanguage, date: Date): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(date);
