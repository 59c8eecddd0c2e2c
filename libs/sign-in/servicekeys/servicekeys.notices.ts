import { noticesOf } from '@app/people/notifications/notification-kind';
import { EXPIRES } from '@app/sign-in/keys/key-ends';

/** An organisation has the key. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts'] } as const;

export const SERVICE_KEY_NOTICES = noticesOf('ServiceKey', {
  new: {
    ...TOLD,
    heading: ['Nieuwe servicesleutel', 'New service key', 'Nouvelle clé de service'],
  },
  rotated: {
    ...TOLD,
    heading: ['Servicesleutel vervangen', 'Service key rotated', 'Clé de service remplacée'],
  },
  changed: {
    ...TOLD,
    heading: [
      'Servicesleutel mag meer dan voorheen',
      'Service key may do more than before',
      'Clé de service aux droits étendus',
    ],
  },
  ends_in_30_days: {
    ...TOLD,
    heading: [
      'Servicesleutel verloopt binnen 30 dagen',
      'Service key ends within 30 days',
      'Clé de service expirant dans les 30 jours',
    ],
    params: { expires: EXPIRES },
    urgency: 'canWait',
    cause: 'time',
  },
  ends_in_7_days: {
    ...TOLD,
    heading: [
      'Servicesleutel verloopt binnen 7 dagen',
      'Service key ends within 7 days',
      'Clé de service expirant dans les 7 jours',
    ],
    params: { expires: EXPIRES },
    urgency: 'canWait',
    cause: 'time',
  },
});
