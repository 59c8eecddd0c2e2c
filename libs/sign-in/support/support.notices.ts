import { noticesOf } from '@app/people/notifications/notification-kind';
import { REASON, UNTIL } from '@app/people/notifications/shared-words';

const FACTS = {
  group: 'System',
  params: { reason: REASON, until: UNTIL },
  urgency: 'prompt',
  tells: ['contacts', 'user'],
} as const;

export const SUPPORT_NOTICES = noticesOf('User', {
  support_login: {
    ...FACTS,
    heading: [
      'Klantenservice kijkt mee in een account',
      'Support staff look into an account',
      'Le service d’assistance consulte un compte',
    ],
  },
  support_login_write: {
    ...FACTS,
    heading: [
      'Klantenservice werkt in een account',
      'Support staff work in an account',
      'Le service d’assistance intervient sur un compte',
    ],
  },
});
