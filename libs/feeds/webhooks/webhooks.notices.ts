import { noticesOf } from '@app/people/notifications/notification-kind';
import { REASON } from '@app/people/notifications/shared-words';

/** As of service keys. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts'] } as const;

export const WEBHOOK_NOTICES = noticesOf('Webhook', {
  new: {
    ...TOLD,
    heading: ['Nieuwe webhook', 'New webhook', 'Nouveau webhook'],
  },
  rotated: {
    ...TOLD,
    heading: ['Geheim van webhook vervangen', 'Secret of webhook rotated', 'Secret du webhook remplacé'],
  },
  changed: {
    ...TOLD,
    heading: [
      'Webhook heeft een andere ontvanger, of meldt meer dan voorheen',
      'Webhook has another receiver, or tells more than before',
      'Webhook au destinataire modifié, ou qui signale davantage',
    ],
  },
  switched_off: {
    ...TOLD,
    heading: [
      'Webhook uitgeschakeld: de ontvanger antwoordt niet',
      'Webhook switched off: its receiver does not answer',
      'Webhook désactivé : son destinataire ne répond pas',
    ],
    params: { reason: REASON },
    urgency: 'canWait',
  },
});
