import { notificationKinds } from '@app/people/notifications/notification-kind';
import { CHECK_PANEL } from '@app/people/notifications/shared-words';
import { EXPIRES, REPLACE_IN_TIME } from '@app/sign-in/keys/key-ends';

/** An organisation has the key. */
const TO_CONTACTS = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts'],
  advice: CHECK_PANEL,
} as const;

const ENDING = {
  ...TO_CONTACTS,
  params: { expires: EXPIRES },
  sentence: [
    'De servicesleutel {record} van uw organisatie verloopt op {expires}. Programma’s die hem gebruiken, werken daarna niet meer.',
    'The service key {record} of your organisation expires on {expires}. Programs that use it will then stop working.',
    'La clé de service {record} de votre organisation expire le {expires}. Les programmes qui l’utilisent ne fonctionneront plus ensuite.',
  ],
  advice: REPLACE_IN_TIME,
  urgency: 'canWait',
  cause: 'time',
} as const;

export const SERVICE_KEY_NOTIFICATIONS = notificationKinds('ServiceKey', {
  new: {
    ...TO_CONTACTS,
    heading: ['Nieuwe servicesleutel', 'New service key', 'Nouvelle clé de service'],
    sentence: [
      'Voor uw organisatie is de servicesleutel {record} gemaakt{done}.',
      'The service key {record} was created for your organisation{done}.',
      'La clé de service {record} a été créée pour votre organisation{done}.',
    ],
  },
  rotated: {
    ...TO_CONTACTS,
    heading: ['Servicesleutel vervangen', 'Service key replaced', 'Clé de service remplacée'],
    sentence: [
      'Ter vervanging van de servicesleutel {record} van uw organisatie is een nieuwe gemaakt{done}.',
      'A replacement for the service key {record} of your organisation was created{done}.',
      'Une nouvelle clé destinée à remplacer la clé de service {record} de votre organisation a été créée{done}.',
    ],
  },
  changed: {
    ...TO_CONTACTS,
    heading: [
      'Servicesleutel mag meer dan voorheen',
      'Service key may do more than before',
      'Clé de service aux droits étendus',
    ],
    sentence: [
      'De servicesleutel {record} van uw organisatie mag meer dan voorheen. Dit is gewijzigd{done}.',
      'The service key {record} of your organisation may do more than before. This was changed{done}.',
      'La clé de service {record} de votre organisation a davantage de droits qu’avant. Ils ont été modifiés{done}.',
    ],
  },
  ends_in_30_days: {
    ...ENDING,
    heading: [
      'Servicesleutel verloopt binnen 30 dagen',
      'Service key expires within 30 days',
      'Une clé de service expire dans les 30 jours',
    ],
  },
  ends_in_7_days: {
    ...ENDING,
    heading: [
      'Servicesleutel verloopt binnen 7 dagen',
      'Service key expires within 7 days',
      'Une clé de service expire dans les 7 jours',
    ],
  },
});
