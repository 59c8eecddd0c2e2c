import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';

/** The groups of notifications. A contact enables some of them. */
export const NOTIFICATION_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

/** 0 queued, 1 sent, 2 failed, 3 partly sent (rule notifications 15). */
export type DeliveryStatus = 0 | 1 | 2 | 3;

/** Recipients with Slack or phone are `skipped`: the service cannot send to them. */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'skipped';

export type RecipientType = 'email' | 'phone' | 'slack';

/**
 * `contact`: enabled the group; `own`: the user name of the user of a security event; `removed`: an address
 * that gets security notifications no more, or only from now on, and is told so whether it is still a contact
 * or not; `invited`: the invited person, whom the invitation's mail notifies.
 */
export type RecipientKind = 'contact' | 'own' | 'removed' | 'invited';

/** Maximum stored notifications that the users of an organisation wrote (rule notifications 24). */
const MOST_WRITTEN = 50_000;

export const NOTIFICATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  notifications_limit_of_organisation: limitReached(
    `The users of an organisation write at most ${MOST_WRITTEN} notifications.`,
  ),
};

/** An address besides the addresses of the contacts. */
export interface ExtraRecipient {
  readonly kind: 'own' | 'removed' | 'invited';
  readonly fullName: string;
  readonly language: 'nl' | 'en' | 'fr';
  /** A plain e-mail address. */
  readonly value: string;
  /** The address is an unverified user name: the mail holds no text that a user chose. Absent: it is not. */
  readonly isRedacted?: boolean;
}

/** The encryption context of the address of a deleted user. */
export const recipientContext = (recipientId: string | number): string => `recipient:${recipientId}`;
