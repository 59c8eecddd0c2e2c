import type { MailContent, MailLanguage } from '@app/mail/mail.types';
import { quoted, quotedInShort } from '@app/mail/mail-values';
import type { Sender } from '@app/mail/sender';
import type { RecipientKind } from './notification.types';
import {
  type DescribedEvent,
  notificationText,
  type Operator,
  redactedNotificationText,
} from './notification-text';

/** A notification to one recipient. */
export interface DeliveredNotification extends DescribedEvent {
  readonly recipientKind: RecipientKind;
  /** The full name of the user whose verified name the address is; empty for other addresses. */
  readonly recipientName: string;
  readonly language: MailLanguage;
  readonly organisation: string;
  /**
   * Nobody had shown at the time of the event that the address is theirs. What happens to it later makes no
   * mail fuller.
   */
  readonly isRedacted: boolean;
  readonly links: readonly string[];
}

/**
 * The mail of a notification to a recipient: the one place that composes it. The sender may be a reseller,
 * the operator never is.
 */
export function notificationMail(
  delivered: DeliveredNotification,
  sender: Sender,
  operator: Operator,
): MailContent {
  const { recipientKind, recipientName, language, organisation, isRedacted, links, ...event } = delivered;
  if (isRedacted && event.isWritten) return { template: 'hiddenMessage', values: {} };
  if (isRedacted) {
    const { subject, text } = redactedNotificationText(event.kind, event.at, language, sender);
    return { template: 'unverifiedNotification', values: { subject, text } };
  }
  const isOwn = recipientKind === 'own';
  const reader = { isUser: isOwn, name: recipientName };
  const values = {
    organisation: event.isWritten ? quotedInShort(language, organisation) : quoted(language, organisation),
    ...notificationText(event, reader, language, sender, operator),
  };
  if (links.length > 0)
    return { template: 'linkedNotification', values: { ...values, links: links.join('\n') } };
  if (isOwn) return { template: 'ownNotification', values };
  const contact = recipientKind === 'removed' ? ({ contact: 'removed' } as const) : {};
  return { template: 'notification', values: { ...values, ...contact } };
}
