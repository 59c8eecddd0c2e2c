/** What notifications can be about; contacts choose the groups that they are told of. */
export const NOTIFICATION_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

/** 0 queued, 1 sent, 2 failed, 3 partly sent (decisions.md section 8). */
export type DeliveryStatus = 0 | 1 | 2 | 3;

/** Slack and phone recipients are `skipped`: there is no sender for them. */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'skipped';

export type RecipientType = 'email' | 'phone' | 'slack';

/**
 * Why an address is told: as a contact that enabled the group, as the own name of the user whom a security event is
 * about, as a contact's address that is one no more, or as who was invited, by the mail of the invitation.
 */
export type RecipientKind = 'contact' | 'own' | 'gone' | 'invited';

/** An address that is told besides the contacts. */
export interface ExtraRecipient {
  readonly kind: 'own' | 'gone' | 'invited';
  readonly fullName: string;
  readonly language: 'nl' | 'en' | 'fr';
  /** A plain e-mail address. */
  readonly value: string;
}

/** Something that happened and that is to be kept and told. */
export interface NotificationEvent {
  /** The organisation in which it happened. */
  readonly organisationId: number;
  readonly group: NotificationGroup;
  /** What happened, for example `new`; at most 255 characters. */
  readonly type: string;
  /** The kind of its subject, for example `Invitation`. */
  readonly entityClass: string;
  readonly entityId: number;
  /** What the subject is called; cut to 255 characters. */
  readonly entityName: string;
  /** Who did it; null where nobody was logged in. */
  readonly userId: number | null;
  /** Whatever else the reader should know. Never a secret: every user of the organisation can read it. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly subject?: string;
  /** The user whose names it tells; of group System: who is told at the own name too. */
  readonly aboutUserId?: number;
  /** The name of that user, where it is about to change. */
  readonly ownName?: string;
  /** Whether contacts of all users are told, not only those of the organisation and of its CUSTADMINs. */
  readonly everyContact?: boolean;
  /** Whether the mail to the own name waits like any other: nobody acted, nobody waits for it. */
  readonly canWait?: boolean;
  /**
   * Links of the mails to contacts, with `{contactId}` and `{hash}`, which a `NotificationLinks` makes for each of them.
   * They are of the process that was asked, whoever sends the mails.
   */
  readonly linkTemplates?: readonly string[];
  readonly extraRecipients?: readonly ExtraRecipient[];
}
