import { noticesOf, type Phrase } from '@app/people/notifications/notification-kind';

/** Advice to a user who gets a second factor, or is about to lose one. */
export const NOT_YOU: Phrase = [
  'Was dit niet de bedoeling? De gebruiker kan het drie dagen lang ongedaan maken met de link in de eigen mail, een beheerder in het klantenpaneel.',
  'Was this not intended? The user can undo it for three days with the link of the own mail, a manager in the control panel.',
  'Ce n’était pas voulu ? L’utilisateur peut l’annuler pendant trois jours par le lien de son propre e-mail, un gestionnaire dans le panneau de contrôle.',
];

/** The user is told too. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts', 'user'] } as const;

/** The mails show this param by its name. */
const CODES_LEFT: Phrase = ['recoveryCodesLeft', 'recoveryCodesLeft', 'recoveryCodesLeft'];

/** The kinds of news of second factors other than passkeys. */
export const AUTH_NOTICES = noticesOf('User', {
  '2fa_enabled': {
    ...TOLD,
    heading: [
      'Aanmelden in twee stappen ingeschakeld',
      'Two-factor login switched on',
      'Connexion à deux facteurs activée',
    ],
    advice: NOT_YOU,
  },
  '2fa_disabled': {
    ...TOLD,
    heading: [
      'Aanmelden in twee stappen uitgeschakeld',
      'Two-factor login switched off',
      'Connexion à deux facteurs désactivée',
    ],
  },
  '2fa_lost': {
    ...TOLD,
    heading: [
      'Laatste tweede factor verwijderd door een link of een nieuw wachtwoord: de enige beheerder stelt na drie dagen een nieuwe in',
      'Last second factor removed by a link or a new password: the only manager sets up another after three days',
      'Dernier second facteur supprimé par un lien ou un nouveau mot de passe : le seul gestionnaire en configure un autre après trois jours',
    ],
    params: { opensAt: ['Mogelijk vanaf', 'Possible from', 'Possible à partir du'] },
  },
  recovery_codes_made: {
    ...TOLD,
    heading: ['Nieuwe herstelcodes gemaakt', 'New recovery codes made', 'Nouveaux codes de récupération'],
    params: { recoveryCodesLeft: CODES_LEFT },
  },
  recovery_code_used: {
    ...TOLD,
    heading: ['Herstelcode gebruikt', 'Recovery code used', 'Code de récupération utilisé'],
    params: { recoveryCodesLeft: CODES_LEFT },
  },
});
