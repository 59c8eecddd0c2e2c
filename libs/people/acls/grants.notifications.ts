import { type Advice, notificationKinds, type Phrase } from '@app/people/notifications/notification-kind';
import { UNTIL } from '@app/people/notifications/shared-words';

/** An organisation whose name the reader may not know is named by its id. */
const ORGANISATION: Phrase = ['Organisatie', 'Organisation', 'Organisation'];

const END_ACCESS: Advice = {
  words: [
    'Klopt dit niet? Een beheerder kan de toegang in het klantenpaneel beëindigen.',
    'If this looks wrong, a manager can end the access in the control panel.',
    'Cela vous semble anormal ? Un gestionnaire peut mettre fin à cet accès dans le panneau de contrôle.',
  ],
  callToAction: 'panel',
};

const FACTS = {
  group: 'System',
  params: { organisation: ORGANISATION, until: UNTIL },
  urgency: 'canWait',
  recipients: ['contacts'],
  advice: END_ACCESS,
} as const;

const RECEIVED: Advice = {
  words: [
    'Het klantenpaneel toont welke organisaties de uwe toegang geven.',
    'The control panel lists the organisations that give yours access.',
    'Le panneau de contrôle montre quelles organisations donnent accès à la vôtre.',
  ],
  callToAction: 'panel',
};

/** To the contacts of an organisation that may give again what has ended. */
const GIVE_AGAIN: Advice = {
  words: [
    'Klopt dit niet? Een beheerder kan in het klantenpaneel opnieuw toegang geven.',
    'If this looks wrong, a manager can give access again in the control panel.',
    'Cela vous semble anormal ? Un gestionnaire peut redonner accès dans le panneau de contrôle.',
  ],
  callToAction: 'panel',
};

/** What has ended is valid until no time. */
const ENDED_PARAMS = { organisation: ORGANISATION } as const;

export const GRANT_NOTIFICATIONS = notificationKinds('Grant', {
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
    params: ENDED_PARAMS,
  },
  reading_begun: {
    ...FACTS,
    heading: [
      'Een andere organisatie kan uw gegevens lezen',
      'Another organisation can read your data',
      'Une autre organisation peut lire vos données',
    ],
    sentence: [
      'Organisatie {record} kan de gegevens van uw organisatie lezen. De toegang is gegeven{done}.',
      'The organisation {record} can read the data of your organisation. Access was given{done}.',
      'L’organisation {record} peut lire les données de la vôtre. L’accès a été donné{done}.',
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
});
