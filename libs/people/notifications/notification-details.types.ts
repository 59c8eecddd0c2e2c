import type { Role } from '@app/security/access/roles';
import type { DeliveryStatus, NotificationGroup, RecipientStatus, RecipientType } from './notification.types';

/** The word of each delivery status, by its number. */
export const STATUS_WORDS = ['queued', 'sent', 'failed', 'partly sent'] as const;

/** The colour of each delivery status, by its number. */
export const NOTIFICATION_STATUS_CATEGORIES = ['grey', 'green', 'red', 'orange'] as const;

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
  readonly message: string;
}

/** The user who caused a notification, while that user exists; the word `operator` or `manager` with the id 0 if hidden. */
export interface NotificationUser {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A notification as responses show it. */
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
  /** Empty for readers who are no managers. */
  readonly recipients: readonly Recipient[];
}

/** Search parameters of lists of notifications beside `filter`; `type` matches as a whole. */
export type NotificationSearch = 'type';

/** A notification about an organisation, written by a caller. */
export interface NewNotification {
  readonly type: string;
  readonly group: NotificationGroup;
  readonly params: Readonly<Record<string, unknown>>;
}
