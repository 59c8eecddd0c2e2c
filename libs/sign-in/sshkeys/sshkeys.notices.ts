import { noticesOf } from '@app/people/notifications/notification-kind';

/** Of the key of a user, the user is told too. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts', 'user'] } as const;

export const SSH_KEY_NOTICES = noticesOf('SshKey', {
  new: {
    ...TOLD,
    heading: ['Nieuwe SSH-sleutel', 'New SSH key', 'Nouvelle clé SSH'],
  },
  changed: {
    ...TOLD,
    heading: ['SSH-sleutel vervangen', 'SSH key replaced', 'Clé SSH remplacée'],
  },
});
