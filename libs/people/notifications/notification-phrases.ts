import type { MailLanguage } from '@app/mail/mail.types';
import type { Phrase } from './notification-kind';

type Words = Readonly<Record<MailLanguage, string>>;

const LANGUAGES: readonly MailLanguage[] = ['nl', 'en', 'fr'];

export const phraseIn = (language: MailLanguage, phrase: Phrase): string =>
  phrase[LANGUAGES.indexOf(language)] as string;

/** Between a word and its value. */
export const COLON: Words = { nl: ': ', en: ': ', fr: '\u00a0: ' };

const BY: Words = { nl: 'door', en: 'by', fr: 'par' };
const OF_USER: Words = { nl: 'van gebruiker', en: 'of the user', fr: 'de l’utilisateur' };
const NUMBER: Words = { nl: 'nr.', en: 'no.', fr: 'n°' };
const WRITTEN_BY: Words = { nl: 'Verstuurd door', en: 'Sent by', fr: 'Envoyé par' };

export const BY_USER_ITSELF: Words = {
  nl: 'door de gebruiker zelf',
  en: 'by the user',
  fr: 'par cette personne',
};

export const doneBy = (language: MailLanguage, actor: string): string => `${BY[language]} ${actor}`;

export const ofUser = (language: MailLanguage, user: string): string => `${OF_USER[language]} ${user}`;

/** A record whose name nobody may know, or that has none any more. */
export const numbered = (language: MailLanguage, id: number): string => `${NUMBER[language]} ${id}`;

/** Who wrote a notification, after its text. */
export const writtenBy = (language: MailLanguage, actor: string): string =>
  `${WRITTEN_BY[language]} ${actor}.`;
