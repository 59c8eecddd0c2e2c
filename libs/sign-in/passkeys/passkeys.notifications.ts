import { type Advice, notificationKinds } from '@app/people/notifications/notification-kind';
import { ASK_USER, NEW_PASSWORD } from '@app/people/notifications/shared-words';

/** The user is told too. */
const TO_CONTACTS_AND_USER = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

/** To the user whose passkey somebody else may hold. */
const REMOVE: Advice = {
  words: [
    'Was u dit niet? Verwijder de passkey dan in het klantenpaneel en kies meteen een nieuw wachtwoord.',
    'If this wasn’t you, remove the passkey in the control panel and choose a new password at once.',
    'Ce n’était pas vous ? Supprimez la clé d’accès dans le panneau de contrôle et choisissez immédiatement un nouveau mot de passe.',
  ],
  callToAction: 'newPassword',
};

export const PASSKEY_NOTIFICATIONS = notificationKinds('Passkey', {
  new: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Nieuwe passkey', 'New passkey', 'Nouvelle clé d’accès'],
    sentence: [
      'De passkey {record}{whose} is toegevoegd{done}.',
      'The passkey {record}{whose} was added{done}.',
      'La clé d’accès {record}{whose} a été ajoutée{done}.',
    ],
    toUser: {
      sentence: [
        'Aan uw account is de passkey {record} toegevoegd{done}.',
        'The passkey {record} was added to your account{done}.',
        'La clé d’accès {record} a été ajoutée à votre compte{done}.',
      ],
      advice: REMOVE,
    },
  },
  removed: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Passkey verwijderd', 'Passkey removed', 'Clé d’accès supprimée'],
    sentence: [
      'De passkey {record}{whose} is verwijderd{done}. Aanmeldingen die ermee zijn gedaan, blijven geldig.',
      'The passkey {record}{whose} was removed{done}. Logins that were made with it stay valid.',
      'La clé d’accès {record}{whose} a été supprimée{done}. Les connexions établies avec cette clé restent valables.',
    ],
    advice: {
      words: [
        'De gebruiker of een beheerder kan ze beëindigen in het klantenpaneel, in de lijst van aanmeldingen.',
        'The user or a manager can end them in the control panel, in the list of logins.',
        'L’utilisateur ou un gestionnaire peut y mettre fin dans le panneau de contrôle, dans la liste des connexions.',
      ],
      callToAction: 'panel',
    },
    toUser: {
      sentence: [
        'De passkey {record} van uw account is verwijderd{done}. Aanmeldingen die ermee zijn gedaan, ' +
          'blijven geldig. U kunt ze beëindigen in het klantenpaneel, in de lijst van uw aanmeldingen.',
        'The passkey {record} of your account was removed{done}. Logins that were made with it stay ' +
          'valid. You can end them in the control panel, in the list of your logins.',
        'La clé d’accès {record} de votre compte a été supprimée{done}. Les connexions établies avec ' +
          'cette clé restent valables. Vous pouvez y mettre fin dans le panneau de contrôle, dans la ' +
          'liste de vos connexions.',
      ],
      advice: NEW_PASSWORD,
    },
  },
  removed_by_reset: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Passkey verwijderd bij het nieuwe wachtwoord: hij was nog geen week oud',
      'Passkey removed with the new password: it was less than a week old',
      'Clé d’accès supprimée avec le nouveau mot de passe : elle datait de moins d’une semaine',
    ],
    sentence: [
      'De passkey {record}{whose} is verwijderd{at}, omdat hij nog geen week oud was toen een nieuw wachtwoord werd gekozen.',
      'The passkey {record}{whose} was removed{at}, because it was less than a week old when a new password was chosen.',
      'La clé d’accès {record}{whose} a été supprimée{at}, car elle datait de moins d’une semaine lorsqu’un nouveau mot de passe a été choisi.',
    ],
    toUser: {
      sentence: [
        'De passkey {record} van uw account is verwijderd{at}, omdat hij nog geen week oud was toen een nieuw wachtwoord werd gekozen.',
        'The passkey {record} of your account was removed{at}, because it was less than a week old when a new password was chosen.',
        'La clé d’accès {record} de votre compte a été supprimée{at}, car elle datait de moins d’une semaine lorsqu’un nouveau mot de passe a été choisi.',
      ],
      advice: {
        words: [
          'Was het uw eigen passkey? Voeg hem dan opnieuw toe in het klantenpaneel.',
          'If it was your own passkey, you can add it again in the control panel.',
          'C’était votre propre clé d’accès ? Vous pouvez l’ajouter à nouveau dans le panneau de contrôle.',
        ],
        callToAction: 'panel',
      },
    },
  },
  counter_back: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Aanmelden met passkey geweigerd: er is mogelijk een kopie in gebruik',
      'Login with passkey refused: a copy may be in use',
      'Connexion par clé d’accès refusée : une copie est peut-être utilisée',
    ],
    sentence: [
      'Een aanmelding met de passkey {record}{whose} is geweigerd{at}. Misschien is er een kopie van deze passkey in gebruik.',
      'A login with the passkey {record}{whose} was refused{at}. A copy of this passkey may be in use.',
      'Une connexion avec la clé d’accès {record}{whose} a été refusée{at}. Une copie de cette clé est peut-être utilisée.',
    ],
    toUser: {
      sentence: [
        'Een aanmelding met de passkey {record} van uw account is geweigerd{at}. Misschien is er een kopie van deze passkey in gebruik.',
        'A login with the passkey {record} of your account was refused{at}. A copy of this passkey may be in use.',
        'Une connexion avec la clé d’accès {record} de votre compte a été refusée{at}. Une copie de cette clé est peut-être utilisée.',
      ],
      advice: REMOVE,
    },
    cause: 'owner',
  },
});
