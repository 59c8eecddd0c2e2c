import {
  toUserItemResponse,
  UserItemResponse,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { ResponseField } from '@app/platform/dto/shapes';
import type { NotificationDetails } from './notification.columns';
import { NOTIFICATION_GROUPS } from './notification.types';
import {
  NOTIFICATION_STATUS_CATEGORIES,
  type NotificationUser,
  STATUS_WORDS,
} from './notification-details.types';
import {
  ExtraRecipientResponse,
  NotifiedContactResponse,
  toExtraRecipientResponse,
  toNotifiedContactResponse,
} from './recipient.response';

/** The subject of a notification, with its name at the time. */
class SubjectEntityResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the subject', example: 12 }) id!: number;
  @ResponseField({ description: 'What the subject was called then', example: 'Bakkerij de Vries' })
  name!: string;
}

/** A notification. */
export class NotificationResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the notification', example: 301 })
  id!: number;

  @ResponseField({ description: 'Class and id of the subject in one word', example: 'Invitation-12' })
  entityIndex!: string;

  @ResponseField({
    description: 'What the subject was called then; empty for a user who is deleted since',
    example: 'Jan de Vries',
  })
  entityName!: string;

  @ResponseField({ description: 'When it happened, Unix seconds as text', example: '1767225600' })
  dtStamp!: string;

  @ResponseField({
    enum: [...NOTIFICATION_GROUPS],
    description: 'What it is about; contacts choose their groups',
  })
  notificationGroup!: string;

  @ResponseField({
    description: 'What happened, such as new, password_changed or 2fa_disabled',
    example: 'new',
  })
  type!: string;

  @ResponseField({ description: 'Class of the subject', example: 'Invitation' }) entityClass!: string;

  @ResponseField({ type: 'integer', description: 'Identifier of the subject in its class', example: 12 })
  entityId!: number;

  @ResponseField({
    description: 'Class of what it happened in: always Organisation',
    example: 'Organisation',
  })
  rootEntityClass!: string;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the organisation in which it happened',
    example: 3,
  })
  rootEntityId!: number;

  @ResponseField({
    type: 'integer',
    description: 'Delivery to all recipients together: 0 queued, 1 sent, 2 failed, 3 partly sent',
    enum: [0, 1, 2, 3],
  })
  status!: number;

  @ResponseField({ enum: [...STATUS_WORDS], description: 'The status as a word' }) statusDisplay!: string;
  @ResponseField({ enum: [...NOTIFICATION_STATUS_CATEGORIES], description: 'The colour of the status' })
  statusCategory!: string;
  @ResponseField({ type: 'integer', description: 'Always 0', example: 0 }) sendMode!: number;
  @ResponseField({ type: 'integer', description: 'Always 0', example: 0 }) priority!: number;

  @ResponseField({
    type: 'string',
    nullable: true,
    description: 'Subject of the mail where the event gave one, else null',
  })
  subject!: string | null;

  @ResponseField({
    type: 'object',
    additionalProperties: true,
    description: 'Whatever else is known of the event',
  })
  params!: Record<string, unknown>;

  @ResponseField({
    type: 'integer',
    nullable: true,
    description: 'Who did it; null where nobody was logged in, 0 where the reader may not know the user',
  })
  userId!: number | null;

  @ResponseField({
    type: [NotifiedContactResponse],
    description: 'The contacts that it went to; only managers see them',
  })
  contacts!: NotifiedContactResponse[];

  @ResponseField({
    type: [ExtraRecipientResponse],
    description: 'Recipients that are no contacts; only managers see them',
  })
  extraRecipients!: ExtraRecipientResponse[];

  @ResponseField({ type: SubjectEntityResponse, description: 'The subject' }) entity!: SubjectEntityResponse;

  @ResponseField({
    type: UserItemResponse,
    description:
      'The user of userId. Empty (id 0, texts empty) where nobody was logged in, and for a user ' +
      'who is deleted since. One whom the reader may not know has the id 0, the username ' +
      '`operator` or `manager`, and nothing else',
  })
  user!: UserItemResponse;
}

/** Stands for the user where there is none: clients read the fields of an object (rule notifications 21). */
const NOBODY: NotificationUser = { id: 0, username: '', firstName: '', lastName: '', roles: [] };

export const toNotificationResponse = (notification: NotificationDetails): NotificationResponse => ({
  id: notification.id,
  entityIndex: `${notification.entityClass}-${notification.entityId}`,
  entityName: notification.entityName,
  dtStamp: String(notification.createdAt),
  notificationGroup: notification.group,
  type: notification.type,
  entityClass: notification.entityClass,
  entityId: notification.entityId,
  rootEntityClass: 'Organisation',
  rootEntityId: notification.organisationId,
  status: notification.status,
  statusDisplay: STATUS_WORDS[notification.status],
  statusCategory: NOTIFICATION_STATUS_CATEGORIES[notification.status],
  sendMode: notification.sendMode,
  priority: notification.priority,
  subject: notification.subject,
  params: { ...notification.params },
  userId: notification.userId,
  contacts: notification.recipients.flatMap(toNotifiedContactResponse),
  extraRecipients: notification.recipients.flatMap(toExtraRecipientResponse),
  entity: { id: notification.entityId, name: notification.entityName },
  user: toUserItemResponse(notification.user ?? NOBODY),
});
