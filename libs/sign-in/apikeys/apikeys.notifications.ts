import { type Advice, notificationKinds, type Phrase } from '@app/people/notifications/notification-kind';
import { ASK_USER } from '@app/people/notifications/shared-words';
import { EXPIRES, REPLACE_IN_TIME } from '@app/sign-in/keys/key-ends';

const REMOVE: Advice = {
  words: [
    'Was u dit niet? Verwijder de sleutel dan in het klantenpaneel en kies meteen een nieuw wachtwoord.',
    'If this wasn’t you, delete the key in the control panel and choose a new password at once.',
    'Ce n’était pas vous ? Supprimez la clé dans le panneau de contrôle et choisissez immédiatement un nouveau mot de passe.',
  ],
  callToAction: 'newPassword',
};

/** The user of the key is told too. */
const TO_CONTACTS_AND_USER = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

const ENDS: Phrase = [
  'De API-sleutel {record}{whose} verloopt op {expires}. Programma’s die hem gebruiken, werken daarna niet meer.',
  'The API key {record}{whose} expires on {expires}. Programs that use it will then stop working.',
  'La clé API {record}{whose} expire le {expires}. Les programmes qui l’utilisent ne fonctionneront plus ensuite.',
];

const ENDING = {
  ...TO_CONTACTS_AND_USER,
  params: { expires: EXPIRES },
  sentence: ENDS,
  advice: REPLACE_IN_TIME,
  toUser: {
    sentence: [
      'De API-sleutel {record} van uw account verloopt op {expires}. Programma’s die hem gebruiken, werken daarna niet meer.',
      'The API key {record} of your account expires on {expires}. Programs that use it will then stop working.',
      'La clé API {record} de votre compte expire le {expires}. Les programmes qui l’utilisent ne fonctionneront plus ensuite.',
    ],
    advice: REPLACE_IN_TIME,
  },
  urgency: 'canWait',
  cause: 'time',
} as const;

export const API_KEY_NOTIFICATIONS = notificationKinds('ApiKey', {
  new: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Nieuwe API-sleutel', 'New API key', 'Nouvelle clé API'],
    sentence: [
      'De API-sleutel {record}{whose} is gemaakt{done}.',
      'The API key {record}{whose} was created{done}.',
      'La clé API {record}{whose} a été créée{done}.',
    ],
    toUser: {
      sentence: [
        'Voor uw account is de API-sleutel {record} gemaakt{done}.',
        'The API key {record} was created for your account{done}.',
        'La clé API {record} a été créée pour votre compte{done}.',
      ],
      advice: REMOVE,
    },
  },
  rotated: {
    ...TO_CONTACTS_AND_USER,
    heading: ['API-sleutel vervangen', 'API key replaced', 'Clé API remplacée'],
    sentence: [
      'Ter vervanging van de API-sleutel {record}{whose} is een nieuwe gemaakt{done}.',
      'A replacement for the API key {record}{whose} was created{done}.',
      'Une nouvelle clé destinée à remplacer la clé API {record}{whose} a été créée{done}.',
    ],
    toUser: {
      sentence: [
        'Ter vervanging van de API-sleutel {record} van uw account is een nieuwe gemaakt{done}.',
        'A replacement for the API key {record} of your account was created{done}.',
        'Une nouvelle clé destinée à remplacer la clé API {record} de votre compte a été créée{done}.',
      ],
      advice: REMOVE,
    },
  },
  changed: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'API-sleutel werkt vanaf meer IP-adressen',
      'API key works from more IP addresses',
      'Clé API utilisable depuis davantage d’adresses IP',
    ],
    sentence: [
      'De API-sleutel {record}{whose} werkt nu vanaf meer IP-adressen. Dit is gewijzigd{done}.',
      'The API key {record}{whose} now works from more IP addresses. This was changed{done}.',
      'La clé API {record}{whose} est désormais utilisable depuis davantage d’adresses IP. Elle a été modifiée{done}.',
    ],
    toUser: {
      sentence: [
        'De API-sleutel {record} van uw account werkt nu vanaf meer IP-adressen. Dit is gewijzigd{done}.',
        'The API key {record} of your account now works from more IP addresses. This was changed{done}.',
        'La clé API {record} de votre compte est désormais utilisable depuis davantage d’adresses IP. Elle a été modifiée{done}.',
      ],
      advice: REMOVE,
    },
  },
  ends_in_30_days: {
    ...ENDING,
    heading: [
      'API-sleutel verloopt binnen 30 dagen',
      'API key expires within 30 days',
      'Une clé API expire dans les 30 jours',
    ],
  },
  ends_in_7_days: {
    ...ENDING,
    heading: [
      'API-sleutel verloopt binnen 7 dagen',
      'API key expires within 7 days',
      'Une clé API expire dans les 7 jours',
    ],
  },
});
