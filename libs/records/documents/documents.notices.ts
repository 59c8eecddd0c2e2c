import { noticesOf } from '@app/people/notifications/notification-kind';
import { READERS } from './document.columns';
import { DOCUMENT_CLASS } from './document.types';

export const DOCUMENT_NOTICES = noticesOf(DOCUMENT_CLASS, {
  sent: {
    group: 'Finance',
    heardByGrant: true,
    urgency: 'prompt',
    tells: ['contacts', 'allContacts'],
    toRoles: READERS,
    heading: ['Nieuw document', 'New document', 'Nouveau document'],
  },
});
