import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';
import type { Role } from '@app/security/access/roles';

/** The subjects of notifications; a contact chooses its groups. */
export const NOTIFICATION_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

/** 0 queued, 1 sent, 2 failed, 3 partly sent (decisions.md section 8). */
export type DeliveryStatus = 0 | 1 | 2 | 3;

/** Slack and phone recipients are `skipped`: the service has no sender for them. */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'skipped';

export type RecipientType = 'email' | 'phone' | 'slack';

/**
 * A contact that enabled the group; the user name of the user that a security event concerns; the former address of a
 * contact; or the invited person, whom the mail of the invitation notifies.
 */
export type RecipientKind = 'contact' | 'own' | 'gone' | 'invited';

/** Most notifications kept that the users of an organisation wrote (decisions.md section 13). */
const MOST_WRITTEN = 50_000;

export const NOTIFICATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  notifications_limit_of_organisation: limitReached(
    `The users of an organisation write at most ${MOST_WRITTEN} notifications.`,
  ),
};

/** An address beside those of the contacts. */
export interface ExtraRecipient {
  readonly kind: 'own' | 'gone' | 'invited';
  readonly fullName: string;
  readonly language: 'nl' | 'en' | 'fr';
  /** A plain e-mail address. */
  readonly value: string;
}

/** An event to store and to notify of. */
export interface NotificationEvent {
  readonly organisationId: number;
  /** Undefined for System. */
  readonly group?: NotificationGroup;
  /** For example `new`; at most 255 characters. */
  readonly type: string;
  /** The record that it is about. The class is for example `Invitation`; the name is cut to 255 characters. */
  readonly entity: { readonly class: string; readonly id: number; readonly name: string };
  /** The user who caused it; null without a login. */
  readonly userId: number | null;
  /** Further facts for the reader. Never a secret: every user of the organisation can read them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** A user wrote it: it counts among those of the organisation. */
  readonly isWritten?: boolean;
  readonly subject?: string;
  /** The user whose names it contains. Events of group System are mailed to its user name too. */
  readonly aboutUserId?: number | null | undefined;
  /** The coming user name of that user, if it changes. */
  readonly ownName?: string;
  /** Tells the contacts of all users, not only those of the organisation and of its CUSTADMINs. */
  readonly everyContact?: boolean;
  /** Notifies only users with one of these roles. */
  readonly toRoles?: readonly Role[];
  /** The mail to the user name has no priority: no person acted, and no person waits for it. */
  readonly canWait?: boolean;
  /**
   * Links of the mails to contacts; `NotificationLinks` fills in `{contactId}` and `{hash}` for each contact. The process
   * of the request chooses them, whichever process sends the mails.
   */
  readonly linkTemplates?: readonly string[];
  readonly extraRecipients?: readonly ExtraRecipient[];
}
