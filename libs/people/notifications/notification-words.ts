import type { TakeoverOutcome } from '@app/lifecycle/takeovers';
import type { Phrase } from './notification-headings';

/** What a restored name has ended, as params of its news. */
const TAKEOVER_WORDS: Readonly<Record<TakeoverOutcome, Phrase>> = {
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

/** Words for params of events that the service itself records. */
export const WORDS: Readonly<Record<string, Phrase>> = {
  ...TAKEOVER_WORDS,
  organisation: ['Organisatie', 'Organisation', 'Organisation'],
  organisations: [
    'Ook in andere organisaties beëindigd',
    'Ended in other organisations too',
    'Également supprimé dans d’autres organisations',
  ],
  countsFrom: ['Telt als tweede factor vanaf', 'Second factor from', 'Second facteur à partir du'],
  goneFrom: ['Verwijderd vanaf', 'Gone from', 'Supprimée à partir du'],
  opensAt: ['Mogelijk vanaf', 'Possible from', 'Possible à partir du'],
  reason: ['Reden', 'Reason', 'Motif'],
  until: ['Tot', 'Until', 'Jusqu’au'],
  contactsOfGrant: [
    'Contacten die langs deze weg zijn gemaakt en er nog zijn',
    'Contacts that were made by it and are still there',
    'Contacts créés par ce biais et toujours présents',
  ],
  usersOfGrant: [
    'Gebruikers die langs deze weg zijn uitgenodigd en er nog zijn',
    'Users who were invited by it and are still there',
    'Utilisateurs invités par ce biais et toujours présents',
  ],
  user: ['Gebruiker', 'User', 'Utilisateur'],
};
