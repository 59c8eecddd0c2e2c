import { notificationKinds } from '@app/people/notifications/notification-kind';
import { CHECK_PANEL, REASON } from '@app/people/notifications/shared-words';

/** As of service keys. */
const TO_CONTACTS = {
  group: 'System',
  urgency: 'prompt',
  recipients: ['contacts'],
  advice: CHECK_PANEL,
} as const;

export const WEBHOOK_NOTIFICATIONS = notificationKinds('Webhook', {
  new: {
    ...TO_CONTACTS,
    heading: ['Nieuwe webhook', 'New webhook', 'Nouveau webhook'],
    sentence: [
      'Er is een webhook naar {record} gemaakt{done}.',
      'A webhook to {record} was created{done}.',
      'Un webhook vers {record} a été créé{done}.',
    ],
  },
  rotated: {
    ...TO_CONTACTS,
    heading: ['Geheim van webhook vervangen', 'Secret of webhook replaced', 'Secret du webhook remplacé'],
    sentence: [
      'Voor de webhook naar {record} is een nieuw geheim gemaakt{done}.',
      'A new secret was created for the webhook to {record}{done}.',
      'Un nouveau secret a été créé pour le webhook vers {record}{done}.',
    ],
  },
  changed: {
    ...TO_CONTACTS,
    heading: [
      'Webhook heeft een andere ontvanger, of meldt meer dan voorheen',
      'Webhook has another receiver, or reports more than before',
      'Webhook modifié : autre destinataire, ou davantage d’événements',
    ],
    sentence: [
      'De webhook naar {record} is gewijzigd{done}. Hij meldt nu meer gebeurtenissen, of meldt ze aan een andere ontvanger.',
      'The webhook to {record} was changed{done}. It now reports more events, or reports them to another receiver.',
      'Le webhook vers {record} a été modifié{done}. Il signale désormais davantage d’événements, ou les signale à un autre destinataire.',
    ],
  },
  switched_off: {
    ...TO_CONTACTS,
    heading: [
      'Webhook uitgeschakeld: de ontvanger antwoordt niet',
      'Webhook switched off: its receiver does not answer',
      'Webhook désactivé : son destinataire ne répond pas',
    ],
    sentence: [
      'De webhook naar {record} is uitgeschakeld{at}, omdat de ontvanger geen berichten meer aanneemt.',
      'The webhook to {record} was switched off{at}, because its receiver no longer accepts messages.',
      'Le webhook vers {record} a été désactivé{at}, car son destinataire n’accepte plus de messages.',
    ],
    params: { reason: REASON },
    advice: {
      words: [
        'Werkt de ontvanger weer? Dan kan een beheerder de webhook in het klantenpaneel weer inschakelen.',
        'Once the receiver works again, a manager can switch the webhook back on in the control panel.',
        'Dès que le destinataire fonctionne à nouveau, un gestionnaire peut réactiver le webhook dans le panneau de contrôle.',
      ],
      callToAction: 'panel',
    },
    urgency: 'canWait',
  },
});
