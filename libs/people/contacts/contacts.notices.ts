import { type Advice, noticesOf } from '@app/people/notifications/notification-kind';
import { ASK_MANAGER, CHECK_PANEL } from '@app/people/notifications/shared-words';

/** To the user whose contacts somebody changed. */
const CHECK_CONTACTS: Advice = {
  words: [
    'Was u dit niet? Kijk dan uw contacten na in het klantenpaneel en kies meteen een nieuw wachtwoord.',
    'If this wasn’t you, check your contacts in the control panel and choose a new password at once.',
    'Ce n’était pas vous ? Vérifiez vos contacts dans le panneau de contrôle et choisissez immédiatement un nouveau mot de passe.',
  ],
  lead: 'newPassword',
};

/**
 * The address that comes or goes is told too. It is a warning if one that got the news of the organisation
 * gets them no more.
 */
const CHANGED = {
  group: 'System',
  urgency: 'byEvent',
  tells: ['contacts', 'user', 'gone'],
  advice: CHECK_PANEL,
} as const;

export const CONTACT_NOTICES = noticesOf('Contact', {
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

/** Their addresses are told too. */
const LOST = {
  group: 'System',
  urgency: 'warning',
  tells: ['contacts', 'user', 'gone'],
  advice: CHECK_PANEL,
} as const;

/** Managers whose contacts get no more security news of the organisation. */
export const LOST_NEWS_NOTICES = noticesOf('User', {
  demoted: {
    ...LOST,
    heading: [
      'Gebruiker is geen beheerder meer en ontvangt de beveiligingsberichten van de organisatie niet meer',
      'User is no longer a manager and no longer receives the security messages of the organisation',
      'Un utilisateur n’est plus gestionnaire et ne reçoit plus les messages de sécurité de l’organisation',
    ],
    sentence: [
      'Gebruiker {record} is geen beheerder van uw organisatie meer en ontvangt haar beveiligingsberichten niet meer. Dit is gewijzigd{done}.',
      'The user {record} is no longer a manager of your organisation and no longer receives its security messages. This was changed{done}.',
      'L’utilisateur {record} n’est plus gestionnaire de votre organisation et n’en reçoit plus les messages de sécurité. Son rôle a été modifié{done}.',
    ],
    toUser: {
      sentence: [
        'Met uw account {record} bent u geen beheerder van uw organisatie meer. U ontvangt haar beveiligingsberichten niet meer. Dit is gewijzigd{done}.',
        'With your account {record} you are no longer a manager of your organisation. You no longer receive its security messages. This was changed{done}.',
        'Avec votre compte {record}, vous n’êtes plus gestionnaire de votre organisation. Vous n’en recevez plus les messages de sécurité. Votre rôle a été modifié{done}.',
      ],
      advice: ASK_MANAGER,
    },
  },
  disabled: {
    ...LOST,
    heading: [
      'Gebruiker geblokkeerd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'User disabled: no longer receives the security messages of the organisation',
      'Utilisateur bloqué : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    sentence: [
      'Gebruiker {record} is geblokkeerd{done}. Deze gebruiker kan niet meer inloggen en ontvangt geen beveiligingsberichten van uw organisatie meer.',
      'The user {record} was disabled{done}. This user can no longer log in and no longer receives the security messages of your organisation.',
      'L’utilisateur {record} a été bloqué{done}. Il ne peut plus se connecter et ne reçoit plus les messages de sécurité de votre organisation.',
    ],
    toUser: {
      sentence: [
        'Uw account {record} is geblokkeerd{done}. U kunt niet meer inloggen en ontvangt geen beveiligingsberichten van uw organisatie meer.',
        'Your account {record} was disabled{done}. You can no longer log in and no longer receive the security messages of your organisation.',
        'Votre compte {record} a été bloqué{done}. Vous ne pouvez plus vous connecter et ne recevez plus les messages de sécurité de votre organisation.',
      ],
      advice: ASK_MANAGER,
    },
  },
  deleted: {
    ...LOST,
    heading: [
      'Gebruiker verwijderd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'User deleted: no longer receives the security messages of the organisation',
      'Utilisateur supprimé : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    params: { user: ['Gebruiker', 'User', 'Utilisateur'] },
    // The addresses of the user go with it: mails of their own tell them.
    tells: ['contacts'],
    sentence: [
      'Gebruiker {record} is verwijderd{done} en ontvangt geen beveiligingsberichten van uw organisatie meer.',
      'The user {record} was deleted{done} and no longer receives the security messages of your organisation.',
      'L’utilisateur {record} a été supprimé{done} et ne reçoit plus les messages de sécurité de votre organisation.',
    ],
    toUser: {
      sentence: [
        'Uw account is verwijderd{done}. U kunt niet meer inloggen en ontvangt geen beveiligingsberichten van uw organisatie meer.',
        'Your account was deleted{done}. You can no longer log in and no longer receive the security messages of your organisation.',
        'Votre compte a été supprimé{done}. Vous ne pouvez plus vous connecter et ne recevez plus les messages de sécurité de votre organisation.',
      ],
      advice: ASK_MANAGER,
    },
  },
});
