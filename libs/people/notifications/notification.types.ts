import type { MailLanguage, OutgoingMail } from '@app/mail/mail.types';
import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';

/** The groups of notifications. A contact enables some of them. */
export const NOTIFICATION_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

/** 0 queued, 1 sent, 2 failed, 3 partly sent (rule notifications 16). */
export type DeliveryStatus = 0 | 1 | 2 | 3;

/** Recipients with Slack or phone are `skipped`: the service cannot send to them. */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'skipped';

export type RecipientType = 'email' | 'phone' | 'slack';

/**
 * `contact`: enabled the group; `own`: the user name of the user of a security event; `gone`: an address that
 * gets security news no more, or only from now on, and is told so whether it is still a contact or not;
 * `invited`: the invited person, whom the invitation's mail notifies.
 */
export type RecipientKind = 'contact' | 'own' | 'gone' | 'invited';

/** Maximum stored notifications that the users of an organisation wrote (rule notifications 25). */
const MOST_WRITTEN = 50_000;

export const NOTIFICATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  notifications_limit_of_organisation: limitReached(
    `The users of an organisation write at most ${MOST_WRITTEN} notifications.`,
  ),
};

/** An address besides the addresses of the contacts. */
export interface ExtraRecipient {
  readonly kind: 'own' | 'gone' | 'invited';
  readonly fullName: string;
  readonly language: 'nl' | 'en' | 'fr';
  /** A plain e-mail address. */
  readonly value: string;
}

/** An event to store and to send. */
export interface NotificationEvent {
  readonly organisationId: number;
  /** Undefined for System. */
  readonly group?: NotificationGroup;
  /** For example `new`; at most 255 characters. */
  readonly type: string;
  /**
   * The record that it is about. The class is for example `Invitation`; the name is cut to 255 characters.
   */
  readonly entity: { readonly class: string; readonly id: number; readonly name: string };
  /** The user who caused it; null without a login. */
  readonly userId: number | null;
  /**
   * What caused it, where `userId` does not say so: `owner`, whoever has the credentials of the user of
   * `aboutUserId`; `time`, nobody, because something falls due by itself.
   */
  readonly cause?: 'owner' | 'time';
  /** Tells that somebody stops hearing news, or of guessed codes: other news never hold it back. */
  readonly isWarning?: boolean;
  /** Further facts for the reader. Never a secret: every user of the organisation can read them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** A user wrote it, so it counts against the organisation's limit. */
  readonly isWritten?: boolean;
  readonly subject?: string;
  /**
   * The user whose names the notification contains. Events of group System are also mailed to the user name.
   */
  readonly aboutUserId?: number | null | undefined;
  /** Which addresses of that user itself: all, the proved one, or none. Undefined for all. */
  readonly ownNews?: 'all' | 'proved' | 'none';
  /**
   * The mail to the user name, with a link that undoes what happened. Its token is a secret of the mail, so
   * the notification itself never has it. Absent: the text of the notification.
   */
  readonly ownMail?: (to: string, language: MailLanguage) => OutgoingMail;
  /** Notifies the contacts of all users, not only the contacts of the organisation and of its CUSTADMINs. */
  readonly everyContact?: boolean;
  /** Notifies only users with one of these roles. */
  readonly toRoles?: readonly Role[];
  /** The organisation whose hourly budget the mails count on. Undefined for the organisation itself. */
  readonly chargedTo?: number;
  /** The mail to the user name has no priority, because no person waits for it. */
  readonly canWait?: boolean;
  /**
   * Links of the mails to contacts. `NotificationLinks` fills in `{contactId}` and `{hash}` for each contact.
   * The process that serves the request chooses them, even if another process sends the mails.
   */
  readonly linkTemplates?: readonly string[];
  readonly extraRecipients?: readonly ExtraRecipient[];
}
