import { type Advice, noticesOf, type Phrase } from '@app/people/notifications/notification-kind';
import { UNTIL } from '@app/people/notifications/shared-words';

/** An organisation whose name the reader may not know is named by its id. */
const ORGANISATION: Phrase = ['Organisatie', 'Organisation', 'Organisation'];

const END_ACCESS: Advice = {
  words: [
    'Klopt dit niet? Een beheerder kan de toegang in het klantenpaneel beëindigen.',
    'If this looks wrong, a manager can end the access in the control panel.',
    'Cela vous semble anormal ? Un gestionnaire peut mettre fin à cet accès dans le panneau de contrôle.',
  ],
  lead: 'panel',
};

const FACTS = {
  group: 'System',
  params: { organisation: ORGANISATION, until: UNTIL },
  urgency: 'canWait',
  tells: ['contacts'],
  advice: END_ACCESS,
} as const;

const RECEIVED: Advice = {
  words: [
    'Het klantenpaneel toont welke organisaties de uwe toegang geven.',
    'The control panel lists the organisations that give yours access.',
    'Le panneau de contrôle montre quelles organisations donnent accès à la vôtre.',
  ],
  lead: 'panel',
};

/** To the contacts of an organisation that may give again what has ended. */
const GIVE_AGAIN: Advice = {
  words: [
    'Klopt dit niet? Een beheerder kan in het klantenpaneel opnieuw toegang geven.',
    'If this looks wrong, a manager can give access again in the control panel.',
    'Cela vous semble anormal ? Un gestionnaire peut redonner accès dans le panneau de contrôle.',
  ],
  lead: 'panel',
};

/** To the contacts of an organisation that may prolong what ends. */
const PROLONG: Advice = {
  words: [
    'Is de toegang nog nodig? Een beheerder kan die in het klantenpaneel verlengen.',
    'If the access is still needed, a manager can extend it in the control panel.',
    'Cet accès est encore nécessaire ? Un gestionnaire peut le prolonger dans le panneau de contrôle.',
  ],
  lead: 'panel',
};

/** Until a stranger's grants may be told again. */
const RECEIVED_PARAMS: Readonly<Record<keyof typeof FACTS.params | 'noMoreUntil', Phrase>> = {
  ...FACTS.params,
  noMoreUntil: [
    'Over verdere toegang van deze organisatie krijgt u pas weer bericht vanaf',
    'You will be mailed about further access from this organisation only from',
    'Vous ne recevrez de messages sur d’autres accès de cette organisation qu’à partir du',
  ],
};

/** What has ended is valid until no time. */
const ENDED_PARAMS = { organisation: ORGANISATION } as const;

export const GRANT_NOTICES = noticesOf('Grant', {
  given_begun: {
    ...FACTS,
    heading: [
      'Een andere organisatie beheert uw organisatie',
      'Another organisation manages yours',
      'Une autre organisation gère la vôtre',
    ],
    sentence: [
      'Organisatie {record} beheert voortaan uw organisatie. De toegang is gegeven{done}.',
      'The organisation {record} now manages yours. Access was given{done}.',
      'L’organisation {record} gère désormais la vôtre. L’accès a été donné{done}.',
    ],
  },
  given_changed: {
    ...FACTS,
    heading: [
      'Beheer door een andere organisatie gewijzigd',
      'Management by another organisation changed',
      'Gestion par une autre organisation modifiée',
    ],
    sentence: [
      'Het beheer van uw organisatie door organisatie {record} is gewijzigd{done}.',
      'The management of your organisation by the organisation {record} was changed{done}.',
      'La gestion de votre organisation par l’organisation {record} a été modifiée{done}.',
    ],
  },
  given_ended: {
    ...FACTS,
    heading: [
      'Beheer door een andere organisatie beëindigd',
      'Management by another organisation ended',
      'Gestion par une autre organisation terminée',
    ],
    sentence: [
      'Organisatie {record} beheert uw organisatie niet meer. De toegang is beëindigd{done}.',
      'The organisation {record} no longer manages yours. Access was ended{done}.',
      'L’organisation {record} ne gère plus la vôtre. Il a été mis fin à l’accès{done}.',
    ],
    advice: GIVE_AGAIN,
    params: {
      ...ENDED_PARAMS,
      contactsOfGrant: [
        'Contacten die via deze toegang zijn aangemaakt en nog bestaan',
        'Contacts that were created through this access and still exist',
        'Contacts créés grâce à cet accès et toujours présents',
      ],
      usersOfGrant: [
        'Gebruikers die via deze toegang zijn uitgenodigd en nog bestaan',
        'Users who were invited through this access and still exist',
        'Utilisateurs invités grâce à cet accès et toujours présents',
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
    sentence: [
      'Organisatie {record} beheert uw organisatie nog hoogstens 7 dagen. Daarna eindigt de toegang.',
      'The organisation {record} manages yours for 7 more days at most. After that, its access ends.',
      'L’organisation {record} gère encore la vôtre pendant 7 jours au plus. Ensuite, son accès prend fin.',
    ],
    advice: PROLONG,
    cause: 'time',
  },
  reading_begun: {
    ...FACTS,
    heading: [
      'Een andere organisatie kan uw gegevens lezen: toegang gegeven met een sleutel',
      'Another organisation can read your data: access given with a key',
      'Une autre organisation peut lire vos données : accès donné avec une clé',
    ],
    sentence: [
      'Organisatie {record} kan de gegevens van uw organisatie lezen. De toegang is met een sleutel gegeven{done}.',
      'The organisation {record} can read the data of your organisation. Access was given with a key{done}.',
      'L’organisation {record} peut lire les données de la vôtre. L’accès a été donné avec une clé{done}.',
    ],
  },
  reading_changed: {
    ...FACTS,
    heading: [
      'Leestoegang van een andere organisatie verlengd met een sleutel',
      'Read access of another organisation extended with a key',
      'Accès en lecture d’une autre organisation prolongé avec une clé',
    ],
    sentence: [
      'Organisatie {record} kan de gegevens van uw organisatie langer lezen. De toegang is met een sleutel verlengd{done}.',
      'The organisation {record} can read the data of your organisation for longer. Access was extended with a key{done}.',
      'L’organisation {record} peut lire plus longtemps les données de la vôtre. L’accès a été prolongé avec une clé{done}.',
    ],
  },
  received_begun: {
    ...FACTS,
    heading: [
      'Uw organisatie beheert een andere organisatie',
      'Your organisation manages another one',
      'Votre organisation en gère une autre',
    ],
    sentence: [
      'Uw organisatie beheert voortaan organisatie {record}. De toegang is gegeven{done}.',
      'Your organisation now manages the organisation {record}. Access was given{done}.',
      'Votre organisation gère désormais l’organisation {record}. L’accès a été donné{done}.',
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
    sentence: [
      'Het beheer van organisatie {record} door uw organisatie is gewijzigd{done}.',
      'The management of the organisation {record} by yours was changed{done}.',
      'La gestion de l’organisation {record} par la vôtre a été modifiée{done}.',
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
    sentence: [
      'Uw organisatie beheert organisatie {record} niet meer. De toegang is beëindigd{done}.',
      'Your organisation no longer manages the organisation {record}. Access was ended{done}.',
      'Votre organisation ne gère plus l’organisation {record}. Il a été mis fin à l’accès{done}.',
    ],
    params: ENDED_PARAMS,
    advice: RECEIVED,
  },
  received_ends_in_7_days: {
    ...FACTS,
    heading: [
      'Beheer van een andere organisatie eindigt binnen 7 dagen',
      'Management of another organisation ends within 7 days',
      'La gestion d’une autre organisation prend fin dans les 7 jours',
    ],
    sentence: [
      'Uw organisatie beheert organisatie {record} nog hoogstens 7 dagen. Daarna eindigt de toegang.',
      'Your organisation manages the organisation {record} for 7 more days at most. After that, the access ends.',
      'Votre organisation gère encore l’organisation {record} pendant 7 jours au plus. Ensuite, l’accès prend fin.',
    ],
    advice: RECEIVED,
    cause: 'time',
  },
});
