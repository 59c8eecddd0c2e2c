import { notificationKinds } from '@app/people/notifications/notification-kind';
import { REASON } from '@app/people/notifications/shared-words';

const FACTS = {
  group: 'Crm',
  params: { reason: REASON },
  isLetter: true,
  urgency: 'prompt',
  recipients: ['contacts'],
} as const;

export const SUSPENSION_NOTIFICATIONS = notificationKinds('Organisation', {
  disabled: {
    ...FACTS,
    heading: [
      'Organisatie geblokkeerd: aanmelden is niet mogelijk',
      'Organisation suspended: nobody can log in',
      'Organisation suspendue : aucune connexion n’est possible',
    ],
    sentence: [
      'Uw organisatie {record} is geblokkeerd{done}. Haar gebruikers kunnen niet inloggen en haar sleutels werken niet.',
      'Your organisation {record} was suspended{done}. Its users cannot log in and its keys do not work.',
      'Votre organisation {record} a été suspendue{done}. Ses utilisateurs ne peuvent pas se connecter et ses clés ne fonctionnent pas.',
    ],
  },
  enabled: {
    ...FACTS,
    heading: [
      'Blokkering van organisatie opgeheven: aanmelden is weer mogelijk',
      'Organisation no longer suspended: logging in works again',
      'Suspension de l’organisation levée : la connexion est de nouveau possible',
    ],
    sentence: [
      'De blokkering van uw organisatie {record} is opgeheven{done}. Haar gebruikers kunnen weer inloggen.',
      'The suspension of your organisation {record} was lifted{done}. Its users can log in again.',
      'La suspension de votre organisation {record} a été levée{done}. Ses utilisateurs peuvent de nouveau se connecter.',
    ],
  },
});
