import type { Advice, Phrase } from './notification-kind';

/** Words for params that notifications of several domains have. */
export const REASON: Phrase = ['Reden', 'Reason', 'Motif'];
export const PROGRAM: Phrase = ['Programma', 'Program', 'Programme'];
export const UNTIL: Phrase = ['Geldig tot', 'Valid until', 'Valable jusqu’au'];

/** To a user whose account somebody may have entered. */
export const NEW_PASSWORD: Advice = {
  words: [
    'Was u dit niet? Kies dan meteen een nieuw wachtwoord. Daarmee eindigen alle aanmeldingen bij uw account.',
    'If this wasn’t you, choose a new password at once. That ends all logins to your account.',
    'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe. Toutes les connexions à votre compte prendront fin.',
  ],
  callToAction: 'newPassword',
};

/** To a user of whose account somebody else changed something. */
export const ASK_MANAGER: Advice = {
  words: [
    'Klopt dit niet? Neem dan contact op met een beheerder van uw organisatie.',
    'If this is a mistake, please contact a manager of your organisation.',
    'Il s’agit d’une erreur ? Contactez un gestionnaire de votre organisation.',
  ],
};

/** To the contacts, about what was done with the account of a user. */
export const ASK_USER: Advice = {
  words: [
    'Klopt dit niet? Vraag het dan na bij de gebruiker. Een beheerder kan het account in het klantenpaneel blokkeren.',
    'If this looks wrong, please check with the user. A manager can disable the account in the control panel.',
    'Cela vous semble anormal ? Vérifiez auprès de l’utilisateur. Un gestionnaire peut bloquer le compte dans le panneau de contrôle.',
  ],
  callToAction: 'panel',
};

/** To the contacts, about what a manager sees in the panel. */
export const CHECK_PANEL: Advice = {
  words: [
    'Klopt dit niet? Een beheerder kan het nakijken in het klantenpaneel.',
    'If this looks wrong, a manager can check it in the control panel.',
    'Cela vous semble anormal ? Un gestionnaire peut le vérifier dans le panneau de contrôle.',
  ],
  callToAction: 'panel',
};
