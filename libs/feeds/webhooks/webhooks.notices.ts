import { noticesOf } from '@app/people/notifications/notification-kind';
import { CHECK_PANEL, REASON } from '@app/people/notifications/shared-words';

/** As of service keys. */
const TOLD = { group: 'System', urgency: 'prompt', tells: ['contacts'], advice: CHECK_PANEL } as const;

export const WEBHOOK_NOTICES = noticesOf('Webhook', {
  new: {
    ...TOLD,
    heading: ['Nieuwe webhook', 'New webhook', 'Nouveau webhook'],
    sentence: [
      'Er is een webhook naar {record} gemaakt{done}.',
      'A webhook to {record} was created{done}.',
      'Un webhook vers {record} a été créé{done}.',
    ],
  },
  rotated: {
    ...TOLD,
    heading: ['Geheim van webhook vervangen', 'Secret of webhook rotated', 'Secret du webhook remplacé'],
    sentence: [
      'Het geheim van de webhook naar {record} is vervangen{done}.',
      'The secret of the webhook to {record} was replaced{done}.',
      'Le secret du webhook vers {record} a été remplacé{done}.',
    ],
  },
  changed: {
    ...TOLD,
    heading: [
      'Webhook heeft een andere ontvanger, of meldt meer dan voorheen',
      'Webhook has another receiver, or tells more than before',
      'Webhook au destinataire modifié, ou qui signale davantage',
    ],
    sentence: [
      'De webhook naar {record} is gewijzigd{done}. Hij meldt meer dan voorheen, of aan een andere ontvanger.',
      'The webhook to {record} was changed{done}. It sends more than before, or to another receiver.',
      'Le webhook vers {record} a été modifié{done}. Il signale davantage qu’avant, ou à un autre destinataire.',
    ],
  },
  switched_off: {
    ...TOLD,
    heading: [
      'Webhook uitgeschakeld: de ontvanger antwoordt niet',
      'Webhook switched off: its receiver does not answer',
      'Webhook désactivé : son destinataire ne répond pas',
    ],
    sentence: [
      'De webhook naar {record} is uitgeschakeld{at}, omdat zijn ontvanger geen berichten meer aanneemt.',
      'The webhook to {record} was switched off{at}, because its receiver no longer accepts messages.',
      'Le webhook vers {record} a été désactivé{at}, car son destinataire n’accepte plus de messages.',
    ],
    params: { reason: REASON },
    advice: {
      words: [
        'Werkt de ontvanger weer? Een beheerder kan de webhook in het klantenpaneel weer inschakelen.',
        'Does the receiver work again? A manager can switch the webhook back on in the control panel.',
        'Le destinataire fonctionne à nouveau ? Un gestionnaire peut réactiver le webhook dans le panneau de contrôle.',
      ],
      lead: 'panel',
    },
    urgency: 'canWait',
  },
});
