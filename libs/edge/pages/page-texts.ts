import type { MailLanguage } from '@app/mail/mail.types';
import { ENGLISH_PAGES, type PageTexts } from './texts/en';
import { FRENCH_PAGES } from './texts/fr';
import { DUTCH_PAGES } from './texts/nl';

/** Target of a button: the login of the panel, or the page that mails a link for a new password. */
export type PageButton = keyof PageTexts['buttons'];

export const PAGE_TEXTS: Readonly<Record<MailLanguage, PageTexts>> = {
  nl: DUTCH_PAGES,
  en: ENGLISH_PAGES,
  fr: FRENCH_PAGES,
};
