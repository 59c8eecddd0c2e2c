import { noticesOf } from './notification-kind';

/** The kinds of news of changed organisations. */
export const ORGANISATION_NOTICES = noticesOf('Organisation', {
  '2fa_demand_lifted': {
    group: 'System',
    urgency: 'prompt',
    tells: ['contacts'],
    heading: [
      'Organisatie vereist geen tweede factor meer',
      'Organisation no longer demands a second factor',
      'L’organisation n’exige plus de second facteur',
    ],
  },
});
