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
      'Gebruiker {record} is aangemeld via een link, zonder wachtwoord{at}.',
      'The user {record} was logged in by a link, without the password{at}.',
      'L’utilisateur {record} a été connecté par un lien, sans mot de passe{at}.',
    ],
    toUser: {
      sentence: [
        'U bent bij uw account {record} aangemeld via een link, zonder wachtwoord{at}. Van verdere aanmeldingen via dit programma krijgt u vandaag geen e-mail.',
        'You were logged in to your account {record} by a link, without the password{at}. No e-mail tells of further logins by this program today.',
        'Vous avez été connecté à votre compte {record} par un lien, sans mot de passe{at}. Aucun e-mail ne signalera aujourd’hui d’autres connexions par ce programme.',
      ],
      advice: NEW_PASSWORD,
    },
  },
});
