import { TAKEOVER_NEWS, type TakeoverOutcome } from '@app/lifecycle/takeovers';
import { type Advice, noticesOf, type Phrase } from '@app/people/notifications/notification-kind';

/** What became of the records, by their names. */
const OUTCOMES: Readonly<Record<TakeoverOutcome, Phrase>> = {
  endedInvitations: ['Beëindigde uitnodigingen', 'Ended invitations', 'Invitations annulées'],
  endedServiceKeys: ['Beëindigde servicesleutels', 'Ended service keys', 'Clés de service supprimées'],
  endedWebhooks: ['Beëindigde webhooks', 'Ended webhooks', 'Webhooks supprimés'],
  endedGrants: [
    'Organisaties waarvan de toegang is beëindigd',
    'Organisations whose access was ended',
    'Organisations dont l’accès a été supprimé',
  ],
  endedContacts: ['Verwijderde contacten', 'Removed contacts', 'Contacts supprimés'],
  serviceKeysOff: [
    'Uitgeschakelde servicesleutels',
    'Service keys that were switched off',
    'Clés de service désactivées',
  ],
  webhooksOff: ['Uitgeschakelde webhooks', 'Webhooks that were switched off', 'Webhooks désactivés'],
  grantsThatRead: [
    'Organisaties die weer alleen mogen lezen',
    'Organisations that may only read again',
    'Organisations qui ont de nouveau un accès en lecture seule',
  ],
  securityContacts: [
    'Contacten die weer beveiligingsberichten ontvangen',
    'Contacts that receive security messages again',
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
    'Removed contacts that received security messages, not restored',
    'Contacts supprimés qui recevaient les messages de sécurité, non rétablis',
  ],
  keptNames: [
    'Gebruikers van wie de vorige naam niet kon worden hersteld',
    'Users whose names could not be restored',
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
    'Mist u iets? Een beheerder kan het in het klantenpaneel opnieuw aanmaken.',
    'If something is missing, a manager can create it again in the control panel.',
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
      'Gebruikersnaam hersteld: wat sinds de wijziging met het account is gemaakt, is beëindigd',
      'User name restored: what was made with the account since the change has been ended',
      'Nom d’utilisateur rétabli : ce qui a été créé avec le compte depuis le changement a été supprimé',
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
      'Gebruiker {record} heeft de oude gebruikersnaam teruggekregen{at}. Wat sinds de wijziging van die naam met het account is gemaakt, is beëindigd.',
      'The user {record} got the old user name back{at}. What was made with the account since that name was changed has been ended.',
      'L’utilisateur {record} a récupéré son ancien nom d’utilisateur{at}. Ce qui a été créé avec le compte depuis le changement de ce nom a été supprimé.',
    ],
    toUser: {
      sentence: [
        'U hebt uw gebruikersnaam {record} teruggekregen{at}. Wat sinds de wijziging van die naam met uw account is gemaakt, is beëindigd.',
        'You got your user name {record} back{at}. What was made with your account since that name was changed has been ended.',
        'Vous avez récupéré votre nom d’utilisateur {record}{at}. Ce qui a été créé avec votre compte depuis le changement de ce nom a été supprimé.',
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
      'What was made here with a stolen account has been ended',
      'Ce qui a été créé ici avec un compte volé a été supprimé',
    ],
    params: OUTCOMES,
    tells: ['contacts'],
    sentence: [
      'Iemand heeft met een gestolen account iets in uw organisatie gemaakt of gewijzigd. Dat is ongedaan gemaakt{at}.',
      'Somebody made or changed something in your organisation with a stolen account. That was undone{at}.',
      'Quelqu’un a créé ou modifié des éléments dans votre organisation avec un compte volé. Ces opérations ont été annulées{at}.',
    ],
  },
});
