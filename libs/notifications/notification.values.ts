import type { Role } from '@app/core/access/roles';

/** What notifications can be about; contacts choose the groups that they are told of. */
export const NOTIFICATION_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];

/** 0 queued, 1 sent, 2 failed, 3 partly sent (decisions.md section 8). */
export type DeliveryStatus = 0 | 1 | 2 | 3;

/** The word of each delivery status, by its number. */
export const STATUS_WORDS = ['queued', 'sent', 'failed', 'partly sent'] as const;

/** The colour of each delivery status, by its number. */
export const STATUS_CATEGORIES = ['grey', 'green', 'red', 'orange'] as const;

/** Slack and phone recipients are `skipped`: there is no sender for them. */
export type RecipientStatus = 'queued' | 'sent' | 'failed' | 'skipped';

export type RecipientType = 'email' | 'phone' | 'slack';

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
}

/** An address that a notification went to. */
export interface Recipient {
  readonly id: number;
  readonly contactId: number | null;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly fullName: string;
  readonly language: string;
  readonly status: RecipientStatus;
  readonly type: RecipientType;
  readonly value: string;
  readonly hash: string;
}

/** The user who did what a notification tells, while that user exists. */
export interface NotificationUser {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A notification with everything that answers show. */
export interface NotificationDetails {
  readonly id: number;
  readonly organisationId: number;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly group: NotificationGroup;
  readonly type: string;
  readonly entityClass: string;
  readonly entityId: number;
  readonly entityName: string;
  readonly status: DeliveryStatus;
  readonly sendMode: number;
  readonly priority: number;
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly userId: number | null;
  readonly user: NotificationUser | null;
  readonly recipients: readonly Recipient[];
}

/** What lists of notifications can be ordered by. */
export type NotificationOrder =
  | 'id'
  | 'entityIndex'
  | 'entityName'
  | 'createdAt'
  | 'group'
  | 'type'
  | 'entityClass'
  | 'entityId'
  | 'rootEntityClass'
  | 'organisationId'
  | 'status'
  | 'statusDisplay'
  | 'statusCategory'
  | 'sendMode'
  | 'priority'
  | 'subject'
  | 'userId';

/** Searches of lists of notifications beside `filter`; `type` is compared as a whole. */
export type NotificationSearch = 'type';

/** Body of `POST …/notifications`. */
export interface NewNotification {
  readonly type: string;
  readonly group: NotificationGroup;
  readonly params: Readonly<Record<string, unknown>>;
}
