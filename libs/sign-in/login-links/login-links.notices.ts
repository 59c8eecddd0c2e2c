import { noticesOf } from '@app/people/notifications/notification-kind';
import { NEW_PASSWORD, PROGRAM } from '@app/people/notifications/shared-words';

/** The kinds of news of login links. */
export const LOGIN_LINK_NOTICES = noticesOf('User', {
  login_link: {
    group: 'System',
    urgency: 'canWait',
    cause: 'owner',
    tells: ['user'],
    params: { program: PROGRAM },
    heading: ['Aangemeld via een link', 'Logged in by a link', 'Connexion par un lien'],
    sentence: [
      'Gebruiker {record} is{at} zonder wachtwoord aangemeld, via een link.',
      'The user {record} was logged in by a link{at}, without the password.',
      'L’utilisateur {record} a été connecté par un lien{at}, sans mot de passe.',
    ],
    toUser: {
      sentence: [
        'U bent{at} zonder wachtwoord aangemeld bij uw account {record}, via een link. Van verdere aanmeldingen via dit programma krijgt u vandaag geen e-mail.',
        'You were logged in to your account {record} by a link{at}, without the password. You will get no e-mail about further logins by this program today.',
        'Une connexion à votre compte {record} a eu lieu par un lien{at}, sans mot de passe. Aucun e-mail ne signalera aujourd’hui d’autres connexions par ce programme.',
      ],
      advice: NEW_PASSWORD,
    },
  },
});
