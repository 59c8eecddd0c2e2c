import { notificationKinds, type Phrase } from '@app/people/notifications/notification-kind';
import { ASK_USER, NEW_PASSWORD } from '@app/people/notifications/shared-words';

/** The user is told too. */
const TO_CONTACTS_AND_USER = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_USER,
} as const;

const CODES_LEFT: Phrase = [
  'Resterende herstelcodes',
  'Recovery codes left',
  'Codes de récupération restants',
];

/** The kinds of notifications of second factors other than passkeys. */
export const AUTH_NOTIFICATIONS = notificationKinds('User', {
  '2fa_enabled': {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Aanmelden in twee stappen ingeschakeld',
      'Two-factor login switched on',
      'Authentification à deux facteurs activée',
    ],
    sentence: [
      'Voor gebruiker {record} is aanmelden in twee stappen ingeschakeld{done}.',
      'Two-factor login was switched on for the user {record}{done}.',
      'L’authentification à deux facteurs a été activée pour l’utilisateur {record}{done}.',
    ],
    toUser: {
      sentence: [
        'Voor uw account {record} is aanmelden in twee stappen ingeschakeld{done}.',
        'Two-factor login was switched on for your account {record}{done}.',
        'L’authentification à deux facteurs a été activée pour votre compte {record}{done}.',
      ],
      advice: {
        words: [
          'Was u dit niet? Kies dan meteen een nieuw wachtwoord en vraag een beheerder om het uit te schakelen.',
          'If this wasn’t you, choose a new password at once and ask a manager to switch it off.',
          'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe et demandez à un gestionnaire de la désactiver.',
        ],
        callToAction: 'newPassword',
      },
    },
  },
  '2fa_disabled': {
    ...TO_CONTACTS_AND_USER,
    heading: [
      'Aanmelden in twee stappen uitgeschakeld',
      'Two-factor login switched off',
      'Authentification à deux facteurs désactivée',
    ],
    sentence: [
      'Voor gebruiker {record} is aanmelden in twee stappen uitgeschakeld{done}.',
      'Two-factor login was switched off for the user {record}{done}.',
      'L’authentification à deux facteurs a été désactivée pour l’utilisateur {record}{done}.',
    ],
    toUser: {
      sentence: [
        'Voor uw account {record} is aanmelden in twee stappen uitgeschakeld{done}.',
        'Two-factor login was switched off for your account {record}{done}.',
        'L’authentification à deux facteurs a été désactivée pour votre compte {record}{done}.',
      ],
      advice: {
        words: [
          'Was u dit niet? Kies dan meteen een nieuw wachtwoord en schakel aanmelden in twee stappen weer in.',
          'If this wasn’t you, choose a new password at once and switch two-factor login back on.',
          'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe et réactivez l’authentification à deux facteurs.',
        ],
        callToAction: 'newPassword',
      },
    },
  },
  recovery_codes_made: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Nieuwe herstelcodes gemaakt', 'New recovery codes made', 'Nouveaux codes de récupération'],
    params: { recoveryCodesLeft: CODES_LEFT },
    sentence: [
      'Voor gebruiker {record} zijn nieuwe herstelcodes gemaakt{done}. Eerdere codes werken niet meer.',
      'New recovery codes were made for the user {record}{done}. Earlier codes no longer work.',
      'De nouveaux codes de récupération ont été créés pour l’utilisateur {record}{done}. Les codes précédents ne fonctionnent plus.',
    ],
    toUser: {
      sentence: [
        'Voor uw account {record} zijn nieuwe herstelcodes gemaakt{done}. Eerdere codes werken niet meer.',
        'New recovery codes were made for your account {record}{done}. Earlier codes no longer work.',
        'De nouveaux codes de récupération ont été créés pour votre compte {record}{done}. Les codes précédents ne fonctionnent plus.',
      ],
      advice: NEW_PASSWORD,
    },
  },
  recovery_code_used: {
    ...TO_CONTACTS_AND_USER,
    heading: ['Herstelcode gebruikt', 'Recovery code used', 'Code de récupération utilisé'],
    params: { recoveryCodesLeft: CODES_LEFT },
    sentence: [
      'Bij het account van gebruiker {record} is een herstelcode gebruikt{done}, in plaats van een code uit de authenticator-app.',
      'A recovery code was used for the account of the user {record}{done}, instead of a code from the authenticator app.',
      'Un code de récupération a été utilisé pour le compte de l’utilisateur {record}{done}, à la place d’un code de l’application d’authentification.',
    ],
    toUser: {
      sentence: [
        'Bij uw account {record} is een herstelcode gebruikt{done}, in plaats van een code uit de authenticator-app.',
        'A recovery code was used for your account {record}{done}, instead of a code from the authenticator app.',
        'Un code de récupération a été utilisé pour votre compte {record}{done}, à la place d’un code de l’application d’authentification.',
      ],
      advice: NEW_PASSWORD,
    },
  },
});
