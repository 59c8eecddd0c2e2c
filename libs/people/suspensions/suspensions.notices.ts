import { noticesOf } from '@app/people/notifications/notification-kind';
import { REASON } from '@app/people/notifications/shared-words';

const FACTS = {
  group: 'Crm',
  heardByGrant: true,
  params: { reason: REASON },
  isLetter: true,
  urgency: 'prompt',
  tells: ['contacts'],
} as const;

export const SUSPENSION_NOTICES = noticesOf('Organisation', {
  disabled: {
    ...FACTS,
    heading: [
      'Organisatie geblokkeerd: aanmelden is niet mogelijk',
      'Organisation suspended: nobody can log in',
      'Organisation suspendue : aucune connexion n’est possible',
    ],
  },
  enabled: {
    ...FACTS,
    heading: [
      'Blokkering van organisatie opgeheven: aanmelden is weer mogelijk',
      'Organisation no longer suspended: logging in works again',
      'Suspension de l’organisation levée : la connexion est de nouveau possible',
    ],
  },
});
