import type { Phrase } from '@app/people/notifications/notification-kind';
import { noticesOf } from '@app/people/notifications/notification-kind';

const FACTS = { group: 'Crm', heardByGrant: true, urgency: 'prompt' } as const;

/** The mails show this param by its name. */
const EMAIL: Phrase = ['email', 'email', 'email'];

export const INVITATION_NOTICES = noticesOf('Invitation', {
  new: {
    ...FACTS,
    heading: ['Nieuwe uitnodiging', 'New invitation', 'Nouvelle invitation'],
    params: { email: EMAIL },
    tells: ['contacts', 'invited'],
  },
  changed: {
    ...FACTS,
    heading: [
      'Uitnodiging gaat naar een ander adres',
      'Invitation goes to another address',
      'Invitation envoyée à une autre adresse',
    ],
    params: { email: EMAIL },
    tells: ['contacts'],
  },
});
