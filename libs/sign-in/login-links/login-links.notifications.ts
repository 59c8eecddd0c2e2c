import { notificationKinds } from '@app/people/notifications/notification-kind';
import { NEW_PASSWORD, PROGRAM } from '@app/people/notifications/shared-words';

/** The kinds of notifications of login links. */
export const LOGIN_LINK_NOTIFICATIONS = notificationKinds('User', {
  login_link: {
    group: 'System',
    urgency: 'canWait',
    cause: 'owner',
    recipients: ['user'],
    params: { program: PROGRAM },
    heading: ['Aangemeld via een link', 'Logged in by a link', 'Connexion par un lien'],
    sentence: [
      'Gebruiker {record} is{at} zonder wachtwoord aangemeld, via een link.',
      'The user {record} was logged in by a link{at}, without the password.',
      'Une connexion au compte {record} a eu lieu par un lien{at}, sans mot de passe.',
    ],
    toUser: {
      sentence: [
        'U bent{at} zonder wachtwoord aangemeld bij uw account {record}, via een link. Van verdere ' +
          'aanmeldingen via dit programma krijgt u alleen een e-mail als ze van een nieuw netwerk ' +
          'komen.',
        'You were logged in to your account {record} by a link{at}, without the password. You will ' +
          'get an e-mail about further logins by this program only if they come from a new network.',
        'Une connexion à votre compte {record} a eu lieu par un lien{at}, sans mot de passe. Vous ' +
          'recevrez un e-mail sur d’autres connexions par ce programme seulement si elles viennent ' +
          'd’un nouveau réseau.',
      ],
      advice: NEW_PASSWORD,
    },
  },
});
