import { noticesOf } from './notification-kind';

/** The user is told too. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts', 'user'] } as const;

/** The kinds of news of users that come and change, whichever domain changes them. */
export const USER_NOTICES = noticesOf('User', {
  new: {
    group: 'Crm',
    heardByGrant: true,
    urgency: 'prompt',
    tells: ['contacts'],
    heading: ['Nieuwe gebruiker', 'New user', 'Nouvel utilisateur'],
  },
  password_changed: {
    ...TOLD,
    heading: ['Wachtwoord gewijzigd', 'Password changed', 'Mot de passe modifié'],
  },
  name_changed: {
    ...TOLD,
    heading: ['Gebruikersnaam gewijzigd', 'User name changed', "Nom d'utilisateur modifié"],
  },
  name_denied: {
    ...TOLD,
    heading: [
      'Gebruikersnaam geldt niet meer: de eigenaar van het adres kent het account niet',
      'User name no longer counts: the owner of the address does not know the account',
      'Nom d’utilisateur annulé : le titulaire de l’adresse ne connaît pas le compte',
    ],
  },
  name_returned: {
    ...TOLD,
    heading: [
      'Gebruikersnaam teruggezet: wie hem wijzigde, deed dat met een gestolen account',
      'User name put back: it was changed with a stolen account',
      'Nom d’utilisateur rétabli : il avait été modifié avec un compte volé',
    ],
  },
  name_taken: {
    ...TOLD,
    heading: [
      'Gebruikersnaam geldt niet meer: de eigenaar van het adres heeft er een eigen account mee',
      'User name no longer counts: the owner of the address has an account of its own by it',
      'Nom d’utilisateur annulé : le titulaire de l’adresse a désormais son propre compte',
    ],
  },
  told_name_taken: {
    ...TOLD,
    heading: [
      'Vorige gebruikersnaam is nu van een ander account: andere diensten kennen deze gebruiker pas weer na de bevestiging van de nieuwe',
      'Former user name belongs to another account now: other services know this user by name again once the new one is confirmed',
      'L’ancien nom d’utilisateur appartient désormais à un autre compte : les autres services reconnaîtront ce nom après confirmation du nouveau',
    ],
  },
  promoted: {
    ...TOLD,
    heading: [
      'Gebruiker is nu beheerder van de organisatie',
      'User is now a manager of the organisation',
      'Utilisateur désormais gestionnaire de l’organisation',
    ],
  },
  codes_guessed: {
    ...TOLD,
    heading: [
      'Iemand kent het wachtwoord: vandaag tien verkeerde codes na het juiste wachtwoord',
      'Somebody knows the password: ten wrong codes today after the right password',
      'Quelqu’un connaît le mot de passe : dix codes erronés aujourd’hui après le bon mot de passe',
    ],
    urgency: 'warning',
    advice: [
      'Was dit niet de gebruiker? Kies dan meteen een nieuw wachtwoord.',
      'Was it not the user? Then choose a new password at once.',
      'Ce n’était pas l’utilisateur ? Choisissez alors immédiatement un nouveau mot de passe.',
    ],
  },
});
