import { TAKEOVER_NEWS, type TakeoverOutcome } from '@app/lifecycle/takeovers';
import { noticesOf, type Phrase } from '@app/people/notifications/notification-kind';

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

const FACTS = { group: 'System', urgency: 'prompt' } as const;

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
  },
});
