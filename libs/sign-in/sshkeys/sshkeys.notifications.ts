import { type Advice, notificationKinds } from '@app/people/notifications/notification-kind';
import { ASK_USER } from '@app/people/notifications/shared-words';

const REMOVE: Advice = {
  words: [
    'Was u dit niet? Verwijder de sleutel dan in het klantenpaneel en kies meteen een nieuw wachtwoord.',
    'If this wasn’t you, remove the key in the control panel and choose a new password at once.',
    'Ce n’était pas vous ? Supprimez la clé dans le panneau de contrôle et choisissez immédiatement un nouveau mot de passe.',
  ],
  callToAction: 'newPassword',
};

/** Of the key of a user, the user is told too. */
const TO_CONTACTS_AND_USER = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

export const SSH_KEY_NOTIFICATIONS = notificationKinds('SshKey', {
  new: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Nieuwe SSH-sleutel', 'New SSH key', 'Nouvelle clé SSH'],
    sentence: [
      'De SSH-sleutel {record}{whose} is toegevoegd{done}.',
      'The SSH key {record}{whose} was added{done}.',
      'La clé SSH {record}{whose} a été ajoutée{done}.',
    ],
    toUser: {
      sentence: [
        'Aan uw account is de SSH-sleutel {record} toegevoegd{done}.',
        'The SSH key {record} was added to your account{done}.',
        'La clé SSH {record} a été ajoutée à votre compte{done}.',
      ],
      advice: REMOVE,
    },
  },
  changed: {
    ...TO_CONTACTS_AND_USER,
    heading: ['SSH-sleutel vervangen', 'SSH key replaced', 'Clé SSH remplacée'],
    sentence: [
      'De SSH-sleutel {record}{whose} is gewijzigd{done}. Onder deze naam staat nu een andere sleutel.',
      'The SSH key {record}{whose} was changed{done}. Another key now has this name.',
      'La clé SSH {record}{whose} a été modifiée{done}. Une autre clé porte désormais ce nom.',
    ],
    toUser: {
      sentence: [
        'De SSH-sleutel {record} van uw account is gewijzigd{done}. Onder deze naam staat nu een andere sleutel.',
        'The SSH key {record} of your account was changed{done}. Another key now has this name.',
        'La clé SSH {record} de votre compte a été modifiée{done}. Une autre clé porte désormais ce nom.',
      ],
      advice: REMOVE,
    },
  },
});
