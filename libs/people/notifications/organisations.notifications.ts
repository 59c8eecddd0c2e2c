import { notificationKinds } from './notification-kind';
import { CHECK_PANEL } from './shared-words';

/** The kinds of notifications of changed organisations. */
export const ORGANISATION_NOTIFICATIONS = notificationKinds('Organisation', {
  '2fa_demand_lifted': {
    group: 'System',
    urgency: 'prompt',
    recipients: ['contacts'],
    heading: [
      'Organisatie vereist geen tweede factor meer',
      'Organisation no longer demands a second factor',
      'L’organisation n’exige plus de second facteur',
    ],
    sentence: [
      'Uw organisatie {record} vereist geen tweede factor meer bij het inloggen. Dit is gewijzigd{done}.',
      'Your organisation {record} no longer demands a second factor at login. This was changed{done}.',
      'Votre organisation {record} n’exige plus de second facteur à la connexion. Ce réglage a été modifié{done}.',
    ],
    advice: CHECK_PANEL,
  },
});
