import type { MailLanguage } from './mail.types';

const GREETINGS: Readonly<Record<MailLanguage, readonly [toName: string, toAnybody: string]>> = {
  nl: ['Beste', 'Goedendag,'],
  en: ['Dear', 'Hello,'],
  fr: ['Bonjour', 'Bonjour,'],
};

/**
 * The first line of a mail, alike in all mails to one user: with its full name. Mails to an unverified
 * address have no name.
 */
export function greeting(language: MailLanguage, name: string): string {
  const [toName, toAnybody] = GREETINGS[language];
  return name === '' ? toAnybody : `${toName} ${name},`;
}
