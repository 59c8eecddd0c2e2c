import { notificationKinds } from '@app/people/notifications/notification-kind';
import { READERS } from './document.columns';
import { DOCUMENT_CLASS } from './document.types';

export const DOCUMENT_NOTIFICATIONS = notificationKinds(DOCUMENT_CLASS, {
  sent: {
    group: 'Finance',
    urgency: 'prompt',
    recipients: ['contacts', 'allContacts'],
    toRoles: READERS,
    heading: ['Nieuw document', 'New document', 'Nouveau document'],
    isNamedInSubject: true,
    sentence: [
      'Er staat een document voor u klaar: {record}. Het is verstuurd{done}.',
      'A document is ready for you: {record}. It was sent{done}.',
      'Un document est à votre disposition : {record}. Il a été envoyé{done}.',
    ],
  },
});
