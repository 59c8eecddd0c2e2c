import { notificationKinds, type Phrase } from '@app/people/notifications/notification-kind';

const FACTS = { group: 'Crm', urgency: 'prompt' } as const;

const EMAIL: Phrase = ['E-mailadres', 'E-mail address', 'Adresse e-mail'];

export const INVITATION_NOTIFICATIONS = notificationKinds('Invitation', {
  new: {
    ...FACTS,
    heading: ['Nieuwe uitnodiging', 'New invitation', 'Nouvelle invitation'],
    params: { email: EMAIL },
    recipients: ['contacts', 'invited'],
    sentence: [
      'Voor uw organisatie is een nieuwe gebruiker uitgenodigd: {record}. De uitnodiging is verstuurd{done}.',
      'A new user has been invited to your organisation: {record}. The invitation was sent{done}.',
      'Une personne a été invitée à rejoindre votre organisation : {record}. L’invitation a été envoyée{done}.',
    ],
  },
  changed: {
    ...FACTS,
    heading: [
      'Uitnodiging gaat naar een ander adres',
      'Invitation goes to another address',
      'Invitation envoyée à une autre adresse',
    ],
    params: { email: EMAIL },
    recipients: ['contacts'],
    sentence: [
      'De uitnodiging voor {record} gaat naar een ander e-mailadres. Dit is gewijzigd{done}.',
      'The invitation for {record} goes to another e-mail address. This was changed{done}.',
      'L’invitation destinée à {record} est envoyée à une autre adresse e-mail. L’adresse a été modifiée{done}.',
    ],
  },
});
