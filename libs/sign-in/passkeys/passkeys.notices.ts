import { noticesOf } from '@app/people/notifications/notification-kind';
import { NOT_YOU } from '@app/sign-in/auth/auth.notices';

/** The user is told too. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts', 'user'] } as const;

export const PASSKEY_NOTICES = noticesOf('Passkey', {
  new: {
    ...TOLD,
    heading: ['Nieuwe passkey', 'New passkey', 'Nouvelle clé d’accès'],
    params: {
      countsFrom: ['Telt als tweede factor vanaf', 'Second factor from', 'Second facteur à partir du'],
    },
    advice: NOT_YOU,
  },
  removed: {
    ...TOLD,
    heading: ['Passkey verwijderd', 'Passkey removed', 'Clé d’accès supprimée'],
    advice: [
      'Aanmeldingen met deze passkey blijven geldig. De gebruiker of een beheerder beëindigt ze in het klantenpaneel, in de lijst van aanmeldingen.',
      'Logins that were made with this passkey stay valid. The user or a manager ends them in the control panel, in the list of logins.',
      'Les connexions établies avec cette clé restent valables. L’utilisateur ou un gestionnaire y met fin dans le panneau de contrôle, dans la liste des connexions.',
    ],
  },
  removal_begun: {
    ...TOLD,
    heading: [
      'Passkey wordt over drie dagen verwijderd',
      'Passkey will be removed in three days',
      'Clé d’accès supprimée dans trois jours',
    ],
    params: { goneFrom: ['Verwijderd vanaf', 'Gone from', 'Supprimée à partir du'] },
    advice: NOT_YOU,
  },
  removal_undone: {
    ...TOLD,
    heading: [
      'Passkey blijft: verwijdering ongedaan gemaakt',
      'Passkey stays: its removal was undone',
      'Clé d’accès conservée : suppression annulée',
    ],
  },
  removed_by_reset: {
    ...TOLD,
    heading: [
      'Passkey verwijderd door het nieuwe wachtwoord: hij was nog geen week oud',
      'Passkey removed by the new password: it was less than a week old',
      'Clé d’accès supprimée avec le nouveau mot de passe : elle datait de moins d’une semaine',
    ],
  },
  counter_back: {
    ...TOLD,
    heading: [
      'Aanmelden met passkey geweigerd: er is mogelijk een kopie in gebruik',
      'Login with passkey refused: a copy may be in use',
      'Connexion par clé d’accès refusée : une copie est peut-être utilisée',
    ],
    cause: 'owner',
  },
});
