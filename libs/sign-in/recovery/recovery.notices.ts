import { TAKEOVER_NEWS, type TakeoverOutcome } from '@app/lifecycle/takeovers';
import { type Advice, noticesOf, type Phrase } from '@app/people/notifications/notification-kind';

/** What became of the records, by their names. */
const OUTCOMES: Readonly<Record<TakeoverOutcome, Phrase>> = {
  endedInvitations: ['Beëindigde uitnodigingen', 'Ended invitations', 'Invitations annulées'],
  endedServiceKeys: ['Beëindigde servicesleutels', 'Ended service keys', 'Clés de service supprimées'],
  endedWebhooks: ['Beëindigde webhooks', 'Ended webhooks', 'Webhooks supprimés'],
  endedGrants: [
    'Beëindigde toegang van organisaties',
    'Ended access of organisations',
    'Accès supprimés d’organisations',
  ],
  endedContacts: ['Verwijderde contacten', 'Removed contacts', 'Contacts supprimés'],
  serviceKeysOff: [
    'Uitgeschakelde servicesleutels',
    'Service keys that were switched off',
    'Clés de service désactivées',
  ],
  webhooksOff: ['Uitgeschakelde webhooks', 'Webhooks that were switched off', 'Webhooks désactivés'],
  grantsThatRead: [
    'Organisaties die weer alleen lezen',
    'Organisations that only read again',
    'Organisations qui ne font de nouveau que lire',
  ],
  securityContacts: [
    'Contacten die weer beveiligingsberichten ontvangen',
    'Contacts that get security news again',
    'Contacts qui reçoivent de nouveau les messages de sécurité',
  ],
  movedContacts: [
    'Contacten die weer hun vorige adres hebben',
    'Contacts that have their former address again',
    'Contacts qui ont retrouvé leur adresse précédente',
  ],
  disabledUsers: ['Geblokkeerde gebruikers', 'Disabled users', 'Utilisateurs bloqués'],
  restoredNames: [
    'Gebruikers die hun vorige naam weer hebben',
    'Users who have their former name again',
    'Utilisateurs qui ont retrouvé leur nom précédent',
  ],
  goneContacts: [
    'Verwijderde contacten met beveiligingsberichten, niet teruggezet',
    'Removed contacts with security news, not put back',
    'Contacts supprimés qui recevaient les messages de sécurité, non rétablis',
  ],
  keptNames: [
    'Gebruikers met namen die niet terug konden',
    'Users whose names could not go back',
    'Utilisateurs dont le nom n’a pas pu être rétabli',
  ],
  keptUsers: [
    'Gebruikers die niet geblokkeerd konden worden',
    'Users who could not be disabled',
    'Utilisateurs qui n’ont pas pu être bloqués',
  ],
};

const MAKE_AGAIN: Advice = {
  words: [
    'Mist u iets? Een beheerder kan het in het klantenpaneel opnieuw maken.',
    'Is something missing? A manager can make it again in the control panel.',
    'Il manque quelque chose ? Un gestionnaire peut le recréer dans le panneau de contrôle.',
  ],
  lead: 'panel',
};

const FACTS = { group: 'System', urgency: 'prompt', advice: MAKE_AGAIN } as const;

/** What a restored name has ended, for its user and its organisation. */
export const TAKEOVER_NOTICES = noticesOf('User', {
  [TAKEOVER_NEWS]: {
    ...FACTS,
    heading: [
      'Gebruikersnaam hersteld: wat het account sinds de wijziging maakte, is beëindigd',
      'User name restored: what the account made since the change has ended',
      'Nom d’utilisateur rétabli : ce que le compte a créé depuis le changement a été supprimé',
    ],
    params: {
      ...OUTCOMES,
      organisations: [
        'Ook in andere organisaties beëindigd',
        'Ended in other organisations too',
        'Également supprimé dans d’autres organisations',
      ],
    },
    tells: ['contacts', 'user'],
    sentence: [
      'Gebruiker {record} heeft de eigen gebruikersnaam teruggekregen{at}. Wat het account sinds de wijziging van die naam had gemaakt, is beëindigd.',
      'The user {record} got the user name back{at}. What the account had made since that name was changed has ended.',
      'L’utilisateur {record} a récupéré son nom d’utilisateur{at}. Ce que le compte avait créé depuis le changement de ce nom a été supprimé.',
    ],
    toUser: {
      sentence: [
        'U hebt uw gebruikersnaam {record} teruggekregen{at}. Wat uw account sinds de wijziging van die naam had gemaakt, is beëindigd.',
        'You got your user name {record} back{at}. What your account had made since that name was changed has ended.',
        'Vous avez récupéré votre nom d’utilisateur {record}{at}. Ce que votre compte avait créé depuis le changement de ce nom a été supprimé.',
      ],
      advice: MAKE_AGAIN,
    },
  },
});

/** The same, for another organisation. */
export const TAKEOVER_ELSEWHERE_NOTICES = noticesOf('Organisation', {
  [TAKEOVER_NEWS]: {
    ...FACTS,
    heading: [
      'Wat hier met een gestolen account is gemaakt, is beëindigd',
      'What was made here with a stolen account has ended',
      'Ce qui a été créé ici avec un compte volé a été supprimé',
    ],
    params: OUTCOMES,
    tells: ['contacts'],
    sentence: [
      'Iemand heeft met een gestolen account iets in uw organisatie gemaakt of gewijzigd. Dat is beëindigd{at}.',
      'Somebody made or changed something in your organisation with a stolen account. It was ended{at}.',
      'Quelqu’un a créé ou modifié des éléments dans votre organisation avec un compte volé. Ils ont été supprimés{at}.',
    ],
  },
});
