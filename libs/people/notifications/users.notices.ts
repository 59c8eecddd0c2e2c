import { type Advice, noticesOf } from './notification-kind';
import { ASK_MANAGER, ASK_USER, CHECK_PANEL, NEW_PASSWORD, PROGRAM } from './shared-words';

/** The user is told too. */
const TOLD = {
  group: 'System',
  urgency: 'prompt',
  tells: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

/** To a user whose name was the address of somebody else. */
const OTHER_NAME: Advice = {
  words: [
    'Wilt u een andere gebruikersnaam? Vul dan in het klantenpaneel een e-mailadres in dat van u is.',
    'If you would like another user name, enter an e-mail address of your own in the control panel.',
    'Vous souhaitez un autre nom d’utilisateur ? Indiquez dans le panneau de contrôle une adresse e-mail qui vous appartient.',
  ],
  lead: 'panel',
};

/** The kinds of news of users that come and change, whichever domain changes them. */
export const USER_NOTICES = noticesOf('User', {
  new: {
    group: 'Crm',
    heardByGrant: true,
    urgency: 'prompt',
    tells: ['contacts'],
    heading: ['Nieuwe gebruiker', 'New user', 'Nouvel utilisateur'],
    sentence: [
      'Uw organisatie heeft een nieuwe gebruiker: {record}. Het account is aangemaakt{done}.',
      'Your organisation has a new user: {record}. The account was created{done}.',
      'Votre organisation a un nouvel utilisateur : {record}. Le compte a été créé{done}.',
    ],
  },
  password_changed: {
    ...TOLD,
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
    ...TOLD,
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
  name_denied: {
    ...TOLD,
    heading: [
      'Gebruikersnaam geldt niet meer: de eigenaar van het adres kent het account niet',
      'User name no longer valid: the owner of the address does not know the account',
      'Nom d’utilisateur annulé : le titulaire de l’adresse ne connaît pas le compte',
    ],
    sentence: [
      'De eigenaar van een e-mailadres heeft gemeld dat het account{whose} niet van hem of haar is. Daarom geldt dat adres niet meer als gebruikersnaam. Sinds de melding{at} is de gebruikersnaam {record}.',
      'The owner of an e-mail address has reported that the account{whose} is not theirs. So that address is no longer the user name. Since the report{at} the user name is {record}.',
      'Le titulaire d’une adresse e-mail a signalé que le compte{whose} n’est pas le sien. Cette adresse n’est donc plus le nom d’utilisateur de ce compte. Depuis ce signalement{at}, le nom d’utilisateur est {record}.',
    ],
    toUser: {
      sentence: [
        'De eigenaar van het e-mailadres dat uw gebruikersnaam was, heeft gemeld dat uw account niet van hem of haar is. Daarom geldt dat adres niet meer. Sinds de melding{at} is uw gebruikersnaam {record}.',
        'The owner of the e-mail address that was your user name has reported that your account is not theirs. So that address is no longer your user name. Since the report{at} your user name is {record}.',
        'Le titulaire de l’adresse e-mail qui était votre nom d’utilisateur a signalé que votre compte n’est pas le sien. Cette adresse n’est donc plus votre nom d’utilisateur. Depuis ce signalement{at}, votre nom d’utilisateur est {record}.',
      ],
      advice: OTHER_NAME,
    },
  },
  name_returned: {
    ...TOLD,
    heading: [
      'Gebruikersnaam teruggezet: hij was met een gestolen account gewijzigd',
      'User name restored: it had been changed with a stolen account',
      'Nom d’utilisateur rétabli : il avait été modifié avec un compte volé',
    ],
    sentence: [
      'De gebruikersnaam{whose} was met een gestolen account gewijzigd en is teruggezet{at}. De gebruikersnaam is weer {record}.',
      'The user name{whose} had been changed with a stolen account and was restored{at}. It is {record} again.',
      'Le nom d’utilisateur{whose} avait été modifié avec un compte volé et a été rétabli{at}. Il est de nouveau {record}.',
    ],
    toUser: {
      sentence: [
        'Uw gebruikersnaam was met een gestolen account gewijzigd en is teruggezet{at}. Uw gebruikersnaam is weer {record}.',
        'Your user name had been changed with a stolen account and was restored{at}. It is {record} again.',
        'Votre nom d’utilisateur avait été modifié avec un compte volé et a été rétabli{at}. Il est de nouveau {record}.',
      ],
      advice: ASK_MANAGER,
    },
  },
  name_taken: {
    ...TOLD,
    heading: [
      'Gebruikersnaam geldt niet meer: de eigenaar van het adres heeft er een eigen account mee',
      'User name no longer valid: the owner of the address now has an account with it',
      'Nom d’utilisateur annulé : le titulaire de l’adresse a désormais son propre compte',
    ],
    sentence: [
      'Het e-mailadres dat als gebruikersnaam{whose} was ingevuld, geldt niet meer: de eigenaar ervan heeft er een eigen account mee aangemaakt{at}. De gebruikersnaam is nu {record}.',
      'The e-mail address that was entered as the user name{whose} is no longer valid: its owner created an account with it{at}. The user name is now {record}.',
      'L’adresse e-mail indiquée comme nom d’utilisateur{whose} n’est plus valable : son titulaire a créé son propre compte avec cette adresse{at}. Le nom d’utilisateur est désormais {record}.',
    ],
    toUser: {
      sentence: [
        'Het e-mailadres dat als uw gebruikersnaam was ingevuld, geldt niet meer: de eigenaar ervan heeft er een eigen account mee aangemaakt{at}. Uw gebruikersnaam is nu {record}.',
        'The e-mail address that was entered as your user name is no longer valid: its owner created an account with it{at}. Your user name is now {record}.',
        'L’adresse e-mail indiquée comme votre nom d’utilisateur n’est plus valable : son titulaire a créé son propre compte avec cette adresse{at}. Votre nom d’utilisateur est désormais {record}.',
      ],
      advice: OTHER_NAME,
    },
  },
  told_name_taken: {
    ...TOLD,
    heading: [
      'Vorige gebruikersnaam hoort nu bij een ander account: de nieuwe moet nog worden bevestigd',
      'Former user name now belongs to another account: the new one still has to be confirmed',
      'Ancien nom d’utilisateur attribué à un autre compte : le nouveau doit encore être confirmé',
    ],
    sentence: [
      'Iemand anders heeft een account aangemaakt met de vorige gebruikersnaam{whose}{at}. Andere diensten kennen gebruiker {record} pas weer als de nieuwe naam is bevestigd.',
      'Somebody else created an account with the former user name{whose}{at}. Other services will know the user {record} again only once the new name is confirmed.',
      'Quelqu’un d’autre a créé un compte avec l’ancien nom d’utilisateur{whose}{at}. Les autres services ne reconnaîtront l’utilisateur {record} qu’après confirmation du nouveau nom.',
    ],
    toUser: {
      sentence: [
        'Iemand anders heeft een account aangemaakt met uw vorige gebruikersnaam{at}. Andere diensten kennen u pas weer als u uw nieuwe gebruikersnaam {record} hebt bevestigd.',
        'Somebody else created an account with your former user name{at}. Other services will know you again only once you have confirmed your new user name {record}.',
        'Quelqu’un d’autre a créé un compte avec votre ancien nom d’utilisateur{at}. Les autres services ne vous reconnaîtront qu’après confirmation de votre nouveau nom d’utilisateur {record}.',
      ],
      advice: {
        words: [
          'Bevestigen doet u met de link in de e-mail die u daarover hebt gekregen. Hebt u die niet meer? Bewaar uw gebruikersnaam dan opnieuw in het klantenpaneel.',
          'Use the link in the e-mail that asked you to confirm it. If you no longer have it, save your user name again in the control panel.',
          'Pour le confirmer, utilisez le lien de l’e-mail reçu à ce sujet. Vous ne l’avez plus ? Enregistrez à nouveau votre nom d’utilisateur dans le panneau de contrôle.',
        ],
        lead: 'panel',
      },
    },
  },
  promoted: {
    ...TOLD,
    heading: [
      'Gebruiker is nu beheerder van de organisatie',
      'User is now a manager of the organisation',
      'Un utilisateur est désormais gestionnaire de l’organisation',
    ],
    sentence: [
      'Gebruiker {record} is nu beheerder van uw organisatie. Deze rol is toegekend{done}.',
      'The user {record} is now a manager of your organisation. This role was given{done}.',
      'L’utilisateur {record} est désormais gestionnaire de votre organisation. Ce rôle a été attribué{done}.',
    ],
    advice: CHECK_PANEL,
    toUser: {
      sentence: [
        'Met uw account {record} bent u nu beheerder van uw organisatie. Deze rol is toegekend{done}.',
        'With your account {record} you are now a manager of your organisation. This role was given{done}.',
        'Avec votre compte {record}, vous êtes désormais gestionnaire de votre organisation. Ce rôle a été attribué{done}.',
      ],
      advice: ASK_MANAGER,
    },
  },
  link_codes_guessed: {
    ...TOLD,
    isLetter: true,
    params: { program: PROGRAM },
    heading: [
      'Tien verkeerde codes vandaag bij aanmeldlinks',
      'Ten wrong codes today at login links',
      'Dix codes erronés aujourd’hui avec des liens de connexion',
    ],
    sentence: [
      'Bij links die gebruiker {record} zonder wachtwoord aanmelden, is vandaag tien keer een verkeerde code ingevuld. De tiende keer was{at}, via een link van het programma hieronder. Over het wachtwoord zegt dit niets.',
      'Today wrong codes were entered ten times at links that log the user {record} in without the password. The tenth time was{at}, by a link of the program below. This says nothing about the password.',
      'Aujourd’hui, un code erroné a été saisi dix fois avec des liens qui connectent l’utilisateur {record} sans mot de passe. La dixième fois, c’était{at}, par un lien du programme ci-dessous. Cela ne dit rien du mot de passe.',
    ],
    urgency: 'warning',
    advice: {
      words: [
        'Was dit niet de gebruiker zelf? Meld het dan meteen aan uw hostingbedrijf: misschien maakt iemand anders links met de sleutel van dit programma.',
        'If this wasn’t the user, tell your hosting company at once: perhaps somebody else makes links with the key of this program.',
        'Ce n’était pas l’utilisateur ? Signalez-le immédiatement à votre hébergeur : quelqu’un d’autre crée peut-être des liens avec la clé de ce programme.',
      ],
    },
    toUser: {
      sentence: [
        'Bij links die u zonder wachtwoord aanmelden bij uw account {record}, is vandaag tien keer een verkeerde code ingevuld. De tiende keer was{at}, via een link van het programma hieronder. Over uw wachtwoord zegt dit niets.',
        'Today wrong codes were entered ten times at links that log you in to your account {record} without the password. The tenth time was{at}, by a link of the program below. This says nothing about your password.',
        'Aujourd’hui, un code erroné a été saisi dix fois avec des liens qui vous connectent à votre compte {record} sans mot de passe. La dixième fois, c’était{at}, par un lien du programme ci-dessous. Cela ne dit rien de votre mot de passe.',
      ],
      advice: {
        words: [
          'Was u dit niet? Meld het dan meteen aan uw hostingbedrijf: misschien maakt iemand anders links met de sleutel van dit programma.',
          'If this wasn’t you, tell your hosting company at once: perhaps somebody else makes links with the key of this program.',
          'Ce n’était pas vous ? Signalez-le immédiatement à votre hébergeur : quelqu’un d’autre crée peut-être des liens avec la clé de ce programme.',
        ],
      },
    },
  },
  codes_guessed: {
    ...TOLD,
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
    urgency: 'warning',
    advice: {
      words: [
        'Was dit niet de gebruiker zelf? Dan kent iemand anders het wachtwoord. De gebruiker moet meteen een nieuw wachtwoord kiezen; een beheerder kan het account intussen in het klantenpaneel blokkeren.',
        'If this wasn’t the user, somebody else knows the password. The user must choose a new one at once; meanwhile a manager can disable the account in the control panel.',
        'Ce n’était pas l’utilisateur ? Quelqu’un d’autre connaît le mot de passe. L’utilisateur doit en choisir un nouveau immédiatement ; en attendant, un gestionnaire peut bloquer le compte dans le panneau de contrôle.',
      ],
      lead: 'panel',
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
        lead: 'newPassword',
      },
    },
  },
});
