import { noticesOf } from '@app/people/notifications/notification-kind';
import { EXPIRES } from '@app/sign-in/keys/key-ends';

/** The user of the key is told too. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts', 'user'] } as const;

export const API_KEY_NOTICES = noticesOf('ApiKey', {
  new: {
    ...TOLD,
    heading: ['Nieuwe API-sleutel', 'New API key', 'Nouvelle clé API'],
  },
  rotated: {
    ...TOLD,
    heading: ['API-sleutel vervangen', 'API key rotated', 'Clé API remplacée'],
  },
  changed: {
    ...TOLD,
    heading: [
      'API-sleutel werkt vanaf meer adressen',
      'API key works from more addresses',
      'Clé API utilisable depuis davantage d’adresses',
    ],
  },
  ends_in_30_days: {
    ...TOLD,
    heading: [
      'API-sleutel verloopt binnen 30 dagen',
      'API key ends within 30 days',
      'Clé API expirant dans les 30 jours',
    ],
    params: { expires: EXPIRES },
    urgency: 'canWait',
    cause: 'time',
  },
  ends_in_7_days: {
    ...TOLD,
    heading: [
      'API-sleutel verloopt binnen 7 dagen',
      'API key ends within 7 days',
      'Clé API expirant dans les 7 jours',
    ],
    params: { expires: EXPIRES },
    urgency: 'canWait',
    cause: 'time',
  },
});
