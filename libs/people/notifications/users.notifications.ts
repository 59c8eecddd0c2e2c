import { type Advice, notificationKinds } from './notification-kind';
import { ASK_MANAGER, ASK_USER, CHECK_PANEL, NEW_PASSWORD } from './shared-words';

/** The user is told too. */
const TO_CONTACTS_AND_USER = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

/** A manager whose contacts get no more security notifications of the organisation. */
const LOST = { ...TO_CONTACTS_AND_USER, advice: CHECK_PANEL } as const;

/** To a user whose name was the address of somebody else. */
const OTHER_NAME: Advice = {
  words: [
    'Wilt u een andere gebruikersnaam? Vul dan in het klantenpaneel een e-mailadres in dat van u is.',
    'If you would like another user name, enter an e-mail address of your own in the control panel.',
    'Vous souhaitez un autre nom d’utilisateur ? Indiquez dans le panneau de contrôle une adresse e-mail qui vous appartient.',
  ],
  callToAction: 'panel',
};

/** The kinds of notifications of users that come and change, whichever domain changes them. */
export const USER_NOTIFICATIONS = notificationKinds('User', {
  new: {
    group: 'Crm',
    urgency: 'prompt',
    recipients: ['contacts'],
    heading: ['Nieuwe gebruiker', 'New user', 'Nouveau compte'],
    sentence: [
      'Uw organisatie heeft een nieuwe gebruiker: {record}. Het account is aangemaakt{done}.',
      'Your organisation has a new user: {record}. The account was created{done}.',
      'Votre organisation a un nouveau compte : {record}. Il a été créé{done}.',
    ],
  },
  password_changed: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Wachtwoord gewijzigd', 'Password changed', 'Mot de passe modifié'],
    sentence: [
      'Het wachtwoord van gebruiker {record} is gewijzigd{done}.',
      'The password of the user {record} was changed{done}.',
      'Le mot de passe de l’utilisateur {record} a été modifié{done}.',
    ],
    toUser: {
      sentence: [
        'Het wachtwoord van uw account {record} is gewijzigd{done}.',
        'The password of your account {record} was changed{done}.',
        'Le mot de passe de votre compte {record} a été modifié{done}.',
      ],
      advice: NEW_PASSWORD,
    },
  },
  name_changed: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Gebruikersnaam gewijzigd', 'User name changed', 'Nom d’utilisateur modifié'],
    sentence: [
      'De gebruikersnaam{whose} is gewijzigd{done}. De nieuwe naam is {record}.',
      'The user name{whose} was changed{done}. The new name is {record}.',
      'Le nom d’utilisateur{whose} a été modifié{done}. Le nouveau nom est {record}.',
    ],
    toUser: {
      sentence: [
        'De gebruikersnaam van uw account is gewijzigd{done}. De nieuwe naam is {record}.',
        'The user name of your account was changed{done}. The new name is {record}.',
        'Le nom d’utilisateur de votre compte a été modifié{done}. Le nouveau nom est {record}.',
      ],
      advice: NEW_PASSWORD,
    },
  },
  name_taken: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Gebruikersnaam geldt niet meer: de eigenaar van het adres heeft er een eigen account mee',
      'User name no longer valid: the owner of the address now has an account with it',
      'Nom d’utilisateur annulé : le titulaire de l’adresse a désormais son propre compte',
    ],
    sentence: [
      'Het e-mailadres dat als gebruikersnaam{whose} was ingevuld, geldt niet meer: de eigenaar ' +
        'ervan heeft er een eigen account mee aangemaakt{at}. De gebruikersnaam is nu {record}.',
      'The e-mail address that was entered as the user name{whose} is no longer valid: its owner ' +
        'created an account with it{at}. The user name is now {record}.',
      'L’adresse e-mail indiquée comme nom d’utilisateur{whose} n’est plus valable : son titulaire ' +
        'a créé son propre compte avec cette adresse{at}. Le nom d’utilisateur est désormais ' +
        '{record}.',
    ],
    toUser: {
      sentence: [
        'Het e-mailadres dat als uw gebruikersnaam was ingevuld, geldt niet meer: de eigenaar ervan ' +
          'heeft er een eigen account mee aangemaakt{at}. Uw gebruikersnaam is nu {record}.',
        'The e-mail address that was entered as your user name is no longer valid: its owner created an account with it{at}. Your user name is now {record}.',
        'L’adresse e-mail indiquée comme votre nom d’utilisateur n’est plus valable : son titulaire ' +
          'a créé son propre compte avec cette adresse{at}. Votre nom d’utilisateur est désormais ' +
          '{record}.',
      ],
      advice: OTHER_NAME,
    },
  },
  account_recovered: {
    group: 'System',
    urgency: 'prompt',
    recipients: ['contacts'],
    heading: [
      'Account teruggenomen: kijk na wat er met het account is gedaan',
      'Account taken back: check what was done with it',
      'Compte récupéré : vérifiez ce qui a été fait avec ce compte',
    ],
    params: {
      from: ['Nakijken vanaf', 'Check from', 'À vérifier à partir du'],
      to: ['Nakijken tot', 'Check until', 'À vérifier jusqu’au'],
    },
    sentence: [
      'Gebruiker {record} heeft{at} de vorige gebruikersnaam en een nieuw wachtwoord teruggekregen ' +
        'met de link in een e-mail. Misschien heeft intussen iemand anders het account gebruikt. De ' +
        'API-sleutels, SSH-sleutels, contacten en tweede factoren die kort daarvoor aan het account ' +
        'waren toegevoegd, zijn verwijderd. Verder is niets teruggedraaid.',
      'The user {record} got the former user name and a new password back{at} with the link in an ' +
        'e-mail. Somebody else may have used the account in the meantime. The API keys, SSH keys, ' +
        'contacts and second factors that were added to the account shortly before have been ' +
        'removed. Nothing else was undone.',
      'L’utilisateur {record} a récupéré{at} son ancien nom d’utilisateur et choisi un nouveau mot ' +
        'de passe avec le lien reçu par e-mail. Quelqu’un d’autre a peut-être utilisé le compte ' +
        'entre-temps. Les clés d’API, les clés SSH, les contacts et les seconds facteurs ajoutés au ' +
        'compte peu avant ont été supprimés. Rien d’autre n’a été annulé.',
    ],
    advice: {
      words: [
        'Kijk in het auditlog van uw organisatie na wat er tussen deze tijden met het account is ' +
          'gedaan, bijvoorbeeld uitnodigingen, rollen, servicesleutels en webhooks. Draai terug wat ' +
          'niet klopt.',
        'In the audit log of your organisation, check what was done with the account between these ' +
          'times, such as invitations, roles, service keys and webhooks. Undo what is wrong.',
        'Dans le journal d’audit de votre organisation, vérifiez ce qui a été fait avec le compte ' +
          'entre ces deux moments : invitations, rôles, clés de service, webhooks, etc. Annulez ce qui ' +
          'est anormal.',
      ],
      callToAction: 'panel',
    },
  },
  promoted: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Gebruiker is nu beheerder van de organisatie',
      'User is now a manager of the organisation',
      'Rôle de gestionnaire de l’organisation attribué à un compte',
    ],
    sentence: [
      'Gebruiker {record} is nu beheerder van uw organisatie. Deze rol is toegekend{done}.',
      'The user {record} is now a manager of your organisation. This role was given{done}.',
      'Le compte {record} a désormais le rôle de gestionnaire de votre organisation. Ce rôle a été attribué{done}.',
    ],
    advice: CHECK_PANEL,
    toUser: {
      sentence: [
        'Met uw account {record} bent u nu beheerder van uw organisatie. Deze rol is toegekend{done}.',
        'With your account {record} you are now a manager of your organisation. This role was given{done}.',
        'Votre compte {record} a désormais le rôle de gestionnaire de votre organisation. Ce rôle a été attribué{done}.',
      ],
      advice: ASK_MANAGER,
    },
  },
  demoted: {
    ...LOST,
    heading: [
      'Gebruiker is geen beheerder meer en ontvangt de beveiligingsberichten van de organisatie niet meer',
      'User is no longer a manager and no longer receives the security messages of the organisation',
      'Rôle de gestionnaire retiré à un compte : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    sentence: [
      'Gebruiker {record} is geen beheerder van uw organisatie meer en ontvangt haar beveiligingsberichten niet meer. Dit is gewijzigd{done}.',
      'The user {record} is no longer a manager of your organisation and no longer receives its security messages. This was changed{done}.',
      'Le compte {record} n’a plus le rôle de gestionnaire de votre organisation et n’en reçoit plus les messages de sécurité. Ce rôle a été retiré{done}.',
    ],
    toUser: {
      sentence: [
        'Met uw account {record} bent u geen beheerder van uw organisatie meer. U ontvangt haar beveiligingsberichten niet meer. Dit is gewijzigd{done}.',
        'With your account {record} you are no longer a manager of your organisation. You no longer receive its security messages. This was changed{done}.',
        'Votre compte {record} n’a plus le rôle de gestionnaire de votre organisation. Vous n’en recevez plus ' +
          'les messages de sécurité. Ce rôle a été retiré{done}.',
      ],
      advice: ASK_MANAGER,
    },
  },
  disabled: {
    ...LOST,
    heading: [
      'Gebruiker geblokkeerd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'User disabled: no longer receives the security messages of the organisation',
      'Compte bloqué : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    sentence: [
      'Gebruiker {record} is geblokkeerd{done}. Deze gebruiker kan niet meer inloggen en ontvangt geen beveiligingsberichten van uw organisatie meer.',
      'The user {record} was disabled{done}. This user can no longer log in and no longer receives the security messages of your organisation.',
      'Le compte {record} a été bloqué{done}. Plus personne ne peut s’y connecter, et il ne reçoit plus les messages de sécurité de votre organisation.',
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
      'Compte supprimé : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    params: { user: ['Gebruiker', 'User', 'Utilisateur'] },
    sentence: [
      'Gebruiker {record} is verwijderd{done} en ontvangt geen beveiligingsberichten van uw organisatie meer.',
      'The user {record} was deleted{done} and no longer receives the security messages of your organisation.',
      'Le compte {record} a été supprimé{done} et ne reçoit plus les messages de sécurité de votre organisation.',
    ],
    toUser: {
      sentence: [
        'Uw account {record} is verwijderd{done}. U kunt niet meer inloggen en ontvangt geen beveiligingsberichten van uw organisatie meer.',
        'Your account {record} was deleted{done}. You can no longer log in and no longer receive the security messages of your organisation.',
        'Votre compte {record} a été supprimé{done}. Vous ne pouvez plus vous connecter et ne recevez plus les messages de sécurité de votre organisation.',
      ],
      advice: ASK_MANAGER,
    },
  },
  codes_guessed: {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Iemand kent het wachtwoord: vandaag tien verkeerde codes na het juiste wachtwoord',
      'Somebody knows the password: ten wrong codes today after the right password',
      'Quelqu’un connaît le mot de passe : dix codes erronés aujourd’hui après le bon mot de passe',
    ],
    sentence: [
      'Iemand heeft vandaag tien keer het juiste wachtwoord van gebruiker {record} ingevuld, maar telkens een verkeerde code. De tiende keer was{at}.',
      'Today somebody entered the right password of the user {record} ten times, but a wrong code each time. The tenth time was{at}.',
      'Aujourd’hui, quelqu’un a saisi dix fois le bon mot de passe de l’utilisateur {record}, mais chaque fois un code erroné. La dixième fois, c’était{at}.',
    ],
    advice: {
      words: [
        'Was dit niet de gebruiker zelf? Dan kent iemand anders het wachtwoord. De gebruiker moet ' +
          'meteen een nieuw wachtwoord kiezen; een beheerder kan het account intussen in het ' +
          'klantenpaneel blokkeren.',
        'If this wasn’t the user, somebody else knows the password. The user must choose a new one ' +
          'at once; meanwhile a manager can disable the account in the control panel.',
        'Ce n’était pas l’utilisateur ? Quelqu’un d’autre connaît le mot de passe. L’utilisateur ' +
          'doit en choisir un nouveau immédiatement ; en attendant, un gestionnaire peut bloquer le ' +
          'compte dans le panneau de contrôle.',
      ],
      callToAction: 'panel',
    },
    toUser: {
      sentence: [
        'Iemand heeft vandaag tien keer het juiste wachtwoord van uw account {record} ingevuld, maar telkens een verkeerde code. De tiende keer was{at}.',
        'Today somebody entered the right password of your account {record} ten times, but a wrong code each time. The tenth time was{at}.',
        'Aujourd’hui, quelqu’un a saisi dix fois le bon mot de passe de votre compte {record}, mais chaque fois un code erroné. La dixième fois, c’était{at}.',
      ],
      advice: {
        words: [
          'Was u dit niet? Dan kent iemand anders uw wachtwoord. Kies meteen een nieuw wachtwoord.',
          'If this wasn’t you, somebody else knows your password. Choose a new one at once.',
          'Ce n’était pas vous ? Quelqu’un d’autre connaît votre mot de passe. Choisissez-en un nouveau immédiatement.',
        ],
        callToAction: 'newPassword',
      },
    },
  },
});
