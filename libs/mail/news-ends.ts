import type { NewsEnd } from './address-news.types';
import type { MailLanguage } from './mail.types';

/** What the last mail of an hour says to its address (rule notifications 38). */
export const NEWS_ENDS: Readonly<Record<MailLanguage, Readonly<Record<NewsEnd, string>>>> = {
  nl: {
    accounts:
      'Dit adres krijgt dit uur geen e-mail meer over wat gebruikers van deze organisatie met hun eigen account doen. U vindt alles bij de meldingen in het klantenpaneel.',
    all: 'Dit adres krijgt dit uur geen e-mail over deze organisatie meer. U vindt alles bij de meldingen in het klantenpaneel.',
    kind: 'Dit adres krijgt dit uur geen e-mail van deze soort meer. U vindt alles bij de meldingen in het klantenpaneel.',
  },
  en: {
    accounts:
      'This address will get no more e-mail this hour about what users of this organisation do to their own accounts. You will find everything under the notifications in the control panel.',
    all: 'This address will get no more e-mail about this organisation this hour. You will find everything under the notifications in the control panel.',
    kind: 'This address will get no more e-mail of this kind this hour. You will find everything under the notifications in the control panel.',
  },
  fr: {
    accounts:
      'Cette adresse ne recevra plus, durant cette heure, d’e-mails sur ce que les utilisateurs de cette organisation font de leur propre compte. Vous trouverez tout dans les notifications du panneau de contrôle.',
    all: 'Cette adresse ne recevra plus, durant cette heure, d’e-mails sur cette organisation. Vous trouverez tout dans les notifications du panneau de contrôle.',
    kind: 'Cette adresse ne recevra plus, durant cette heure, d’e-mails de ce genre. Vous trouverez tout dans les notifications du panneau de contrôle.',
  },
};
