import { noticesOf, type Phrase } from '@app/people/notifications/notification-kind';
import { UNTIL } from '@app/people/notifications/shared-words';

/** An organisation whose name the reader may not know is named by its id. */
const ORGANISATION: Phrase = ['Organisatie', 'Organisation', 'Organisation'];

const FACTS = {
  group: 'System',
  params: { organisation: ORGANISATION, until: UNTIL },
  urgency: 'canWait',
  tells: ['contacts'],
} as const;

const RECEIVED: Phrase = [
  'Het klantenpaneel toont welke organisaties de uwe toegang geven.',
  'The control panel lists the organisations that give yours access.',
  'Le panneau de contrôle montre quelles organisations donnent accès à la vôtre.',
];

/** Until a stranger's grants may be told again. */
const RECEIVED_PARAMS: Readonly<Record<keyof typeof FACTS.params | 'noMoreUntil', Phrase>> = {
  ...FACTS.params,
  noMoreUntil: [
    'Vandaag volgt geen bericht meer als deze organisatie toegang geeft of wijzigt; weer vanaf',
    'Today no more news follows when this organisation gives or changes access; again from',
    'Aujourd’hui, plus aucun message ne suivra si cette organisation donne ou modifie un accès ; de nouveau à partir du',
  ],
};

export const GRANT_NOTICES = noticesOf('Grant', {
  given_begun: {
    ...FACTS,
    heading: [
      'Een andere organisatie beheert deze organisatie',
      'Another organisation manages this one',
      'Une autre organisation gère celle-ci',
    ],
  },
  given_changed: {
    ...FACTS,
    heading: [
      'Beheer door een andere organisatie gewijzigd',
      'Management by another organisation changed',
      'Gestion par une autre organisation modifiée',
    ],
  },
  given_ended: {
    ...FACTS,
    heading: [
      'Beheer door een andere organisatie beëindigd',
      'Management by another organisation ended',
      'Gestion par une autre organisation terminée',
    ],
    params: {
      ...FACTS.params,
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
    },
  },
  given_ends_in_7_days: {
    ...FACTS,
    heading: [
      'Beheer door een andere organisatie eindigt binnen 7 dagen',
      'Management by another organisation ends within 7 days',
      'La gestion par une autre organisation prend fin dans les 7 jours',
    ],
    cause: 'time',
  },
  reading_begun: {
    ...FACTS,
    heading: [
      'Een andere organisatie leest deze organisatie, toegang gegeven met een sleutel',
      'Another organisation reads this one: access given with a key',
      'Une autre organisation lit celle-ci : accès donné avec une clé',
    ],
  },
  reading_changed: {
    ...FACTS,
    heading: [
      'Leestoegang van een andere organisatie verlengd met een sleutel',
      'Reading by another organisation prolonged with a key',
      'Accès en lecture d’une autre organisation prolongé avec une clé',
    ],
  },
  received_begun: {
    ...FACTS,
    heading: [
      'Uw organisatie beheert een andere organisatie',
      'Your organisation manages another one',
      'Votre organisation en gère une autre',
    ],
    params: RECEIVED_PARAMS,
    advice: RECEIVED,
  },
  received_changed: {
    ...FACTS,
    heading: [
      'Beheer van een andere organisatie gewijzigd',
      'Management of another organisation changed',
      'Gestion d’une autre organisation modifiée',
    ],
    params: RECEIVED_PARAMS,
    advice: RECEIVED,
  },
  received_ended: {
    ...FACTS,
    heading: [
      'Beheer van een andere organisatie beëindigd',
      'Management of another organisation ended',
      'Gestion d’une autre organisation terminée',
    ],
    advice: RECEIVED,
  },
  received_ends_in_7_days: {
    ...FACTS,
    heading: [
      'Beheer van een andere organisatie eindigt binnen 7 dagen',
      'Management of another organisation ends within 7 days',
      'La gestion d’une autre organisation prend fin dans les 7 jours',
    ],
    advice: RECEIVED,
    cause: 'time',
  },
});
