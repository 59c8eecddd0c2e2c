import { type Advice, notificationKinds } from '@app/people/notifications/notification-kind';
import { CHECK_PANEL } from '@app/people/notifications/shared-words';

/** To the user whose contacts somebody changed. */
const CHECK_CONTACTS: Advice = {
  words: [
    'Was u dit niet? Kijk dan uw contacten na in het klantenpaneel en kies meteen een nieuw wachtwoord.',
    'If this wasn’t you, check your contacts in the control panel and choose a new password at once.',
    'Ce n’était pas vous ? Vérifiez vos contacts dans le panneau de contrôle et choisissez immédiatement un nouveau mot de passe.',
  ],
  callToAction: 'newPassword',
};

/** The address that comes or goes is told too. */
const CHANGED = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user', 'removedAddress'],
  advice: CHECK_PANEL,
} as const;

export const CONTACT_NOTIFICATIONS = notificationKinds('Contact', {
  new: {
    ...CHANGED,
    heading: ['Nieuw contact', 'New contact', 'Nouveau contact'],
    sentence: [
      'Het contact {record}{whose} is toegevoegd{done}.',
      'The contact {record}{whose} was added{done}.',
      'Le contact {record}{whose} a été ajouté{done}.',
    ],
    toUser: {
      sentence: [
        'Aan uw account is het contact {record} toegevoegd{done}.',
        'The contact {record} was added to your account{done}.',
        'Le contact {record} a été ajouté à votre compte{done}.',
      ],
      advice: CHECK_CONTACTS,
    },
  },
  changed: {
    ...CHANGED,
    heading: ['Contact gewijzigd', 'Contact changed', 'Contact modifié'],
    sentence: [
      'Het contact {record}{whose} is gewijzigd{done}.',
      'The contact {record}{whose} was changed{done}.',
      'Le contact {record}{whose} a été modifié{done}.',
    ],
    toUser: {
      sentence: [
        'Het contact {record} van uw account is gewijzigd{done}.',
        'The contact {record} of your account was changed{done}.',
        'Le contact {record} de votre compte a été modifié{done}.',
      ],
      advice: CHECK_CONTACTS,
    },
  },
  removed: {
    ...CHANGED,
    heading: ['Contact verwijderd', 'Contact removed', 'Contact supprimé'],
    sentence: [
      'Het contact {record}{whose} is verwijderd{done}.',
      'The contact {record}{whose} was removed{done}.',
      'Le contact {record}{whose} a été supprimé{done}.',
    ],
    toUser: {
      sentence: [
        'Het contact {record} van uw account is verwijderd{done}.',
        'The contact {record} of your account was removed{done}.',
        'Le contact {record} de votre compte a été supprimé{done}.',
      ],
      advice: CHECK_CONTACTS,
    },
  },
  security_news_on: {
    ...CHANGED,
    heading: [
      'Contact ontvangt voortaan beveiligingsberichten',
      'Contact now receives security messages',
      'Un contact reçoit désormais les messages de sécurité',
    ],
    sentence: [
      'Het contact {record}{whose} ontvangt voortaan beveiligingsberichten. Dit is ingesteld{done}.',
      'The contact {record}{whose} now receives security messages. This was set{done}.',
      'Le contact {record}{whose} reçoit désormais les messages de sécurité. Ce réglage a été modifié{done}.',
    ],
    toUser: {
      sentence: [
        'Het contact {record} van uw account ontvangt voortaan beveiligingsberichten. Dit is ingesteld{done}.',
        'The contact {record} of your account now receives security messages. This was set{done}.',
        'Le contact {record} de votre compte reçoit désormais les messages de sécurité. Ce réglage a été modifié{done}.',
      ],
      advice: CHECK_CONTACTS,
    },
  },
  security_news_off: {
    ...CHANGED,
    heading: [
      'Contact ontvangt geen beveiligingsberichten meer',
      'Contact no longer receives security messages',
      'Un contact ne reçoit plus les messages de sécurité',
    ],
    sentence: [
      'Het contact {record}{whose} ontvangt geen beveiligingsberichten meer. Dit is ingesteld{done}.',
      'The contact {record}{whose} no longer receives security messages. This was set{done}.',
      'Le contact {record}{whose} ne reçoit plus les messages de sécurité. Ce réglage a été modifié{done}.',
    ],
    toUser: {
      sentence: [
        'Het contact {record} van uw account ontvangt geen beveiligingsberichten meer. Dit is ingesteld{done}.',
        'The contact {record} of your account no longer receives security messages. This was set{done}.',
        'Le contact {record} de votre compte ne reçoit plus les messages de sécurité. Ce réglage a été modifié{done}.',
      ],
      advice: CHECK_CONTACTS,
    },
  },
});
