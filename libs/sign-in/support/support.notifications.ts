import { type Advice, notificationKinds } from '@app/people/notifications/notification-kind';
import { REASON, UNTIL } from '@app/people/notifications/shared-words';

/** The staff are of the operator: a reseller, whose name the mail may have, knows nothing of it. */
const ASK_OPERATOR: Advice = {
  words: [
    'Hebt u hier niet om gevraagd? Neem dan contact op met {operator}.',
    'If you did not ask for this, please contact {operator}.',
    'Vous n’avez rien demandé ? Contactez {operator}.',
  ],
};

const FACTS = {
  group: 'System',
  params: { reason: REASON, until: UNTIL },
  urgency: 'prompt',
  recipients: ['contacts', 'user'],
  advice: ASK_OPERATOR,
} as const;

export const SUPPORT_NOTIFICATIONS = notificationKinds('User', {
  support_login: {
    ...FACTS,
    heading: [
      'Klantenservice kijkt mee in een account',
      'Support staff are viewing an account',
      'Le service d’assistance consulte un compte',
    ],
    sentence: [
      'De klantenservice kijkt mee in het account van gebruiker {record}, zonder iets te wijzigen. De toegang is geopend{at}.',
      'Support staff are viewing the account of the user {record}, without changing anything. Access was opened{at}.',
      'Le service d’assistance consulte le compte de l’utilisateur {record}, sans rien modifier. L’accès a été ouvert{at}.',
    ],
    toUser: {
      sentence: [
        'De klantenservice kijkt mee in uw account {record}, zonder iets te wijzigen. De toegang is geopend{at}.',
        'Support staff are viewing your account {record}, without changing anything. Access was opened{at}.',
        'Le service d’assistance consulte votre compte {record}, sans rien modifier. L’accès a été ouvert{at}.',
      ],
      advice: ASK_OPERATOR,
    },
  },
  support_login_write: {
    ...FACTS,
    heading: [
      'Klantenservice werkt in een account',
      'Support staff are working in an account',
      'Le service d’assistance intervient sur un compte',
    ],
    sentence: [
      'De klantenservice werkt in het account van gebruiker {record} en kan daarin wijzigingen aanbrengen. De toegang is geopend{at}.',
      'Support staff are working in the account of the user {record} and can make changes in it. Access was opened{at}.',
      'Le service d’assistance intervient sur le compte de l’utilisateur {record} et peut y apporter des modifications. L’accès a été ouvert{at}.',
    ],
    toUser: {
      sentence: [
        'De klantenservice werkt in uw account {record} en kan daarin wijzigingen aanbrengen. De toegang is geopend{at}.',
        'Support staff are working in your account {record} and can make changes in it. Access was opened{at}.',
        'Le service d’assistance intervient sur votre compte {record} et peut y apporter des modifications. L’accès a été ouvert{at}.',
      ],
      advice: ASK_OPERATOR,
    },
  },
});
