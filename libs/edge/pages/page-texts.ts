import type { MailLanguage } from '@app/mail/mail.types';
import type { AnswerReason, FieldErrorReason } from '@app/platform/errors/reasons';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import { ENGLISH_PAGES } from './texts/en';
import { FRENCH_PAGES } from './texts/fr';
import { DUTCH_PAGES } from './texts/nl';

/** A heading and the text beneath it. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/** Target of a button: the login of the panel, or the page that mails a link for a new password. */
export type PageLead = keyof PageTexts['leads'];

/** Error text of a field by reason. `other` is for reasons without their own text. */
export type FaultTexts = Partial<Record<FieldErrorReason, (rules: PasswordRules) => string>> & {
  readonly other: () => string;
};

/** Errors that do not belong to a field. `other` is for reasons without their own text. */
export type ErrorTexts = Partial<Record<AnswerReason, Message>> & { readonly other: Message };

/** The texts of all pages in one language, with the keys of the English texts. */
export type PageTexts = typeof ENGLISH_PAGES;

export const PAGE_TEXTS: Readonly<Record<MailLanguage, PageTexts>> = {
  nl: DUTCH_PAGES,
  en: ENGLISH_PAGES,
  fr: FRENCH_PAGES,
};
