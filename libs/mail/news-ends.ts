import type { NewsEnd } from './address-news.types';
import type { MailLanguage } from './mail.types';

/**
 * What the last mail of an hour says to its address (rule notifications 38), and the label
 * of the button to the panel.
 */
export const NEWS_ENDS: Readonly<Record<MailLanguage, Readonly<Record<NewsEnd | 'label', string>>>> = {
  nl: {
    accounts:
      'In dit uur gaat er naar dit adres geen e-mail meer over wat gebruikers van deze organisatie met hun eigen account doen. De meldingen in het klantenpaneel bevatten alles.',
    all: 'In dit uur gaat er naar dit adres geen nieuws over deze organisatie meer. De meldingen in het klantenpaneel bevatten alles.',
    kind: 'In dit uur gaat er naar dit adres geen e-mail van deze soort meer. De meldingen in het klantenpaneel bevatten alles.',
    label: 'Naar het klantenpaneel',
  },
  en: {
    accounts:
      'No more news of what users of this organisation do to their own accounts is mailed to this address in this hour. The notifications in the control panel have all of it.',
    all: 'No more news about this organisation is mailed to this address in this hour. The notifications in the control panel have all of it.',
    kind: 'No more mails of this kind go to this address in this hour. The notifications in the control panel have all of it.',
    label: 'Go to the control panel',
  },
  fr: {
    accounts:
      'Pendant cette heure, cette adresse ne recevra plus d’e-mail sur ce que les utilisateurs de cette organisation font de leur propre compte. Les notifications du panneau de contrôle contiennent tout.',
    all: 'Pendant cette heure, cette adresse ne recevra plus de nouvelles de cette organisation. Les notifications du panneau de contrôle contiennent tout.',
    kind: 'Pendant cette heure, cette adresse ne recevra plus d’e-mail de ce genre. Les notifications du panneau de contrôle contiennent tout.',
    label: 'Ouvrir le panneau de contrôle',
  },
};
