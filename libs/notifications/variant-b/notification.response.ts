import { ApiProperty } from '@nestjs/swagger';
import {
  UserItemResponse,
  toUserItemResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import { NOTIFICATION_GROUPS } from '../notification.types';
import { STATUS_CATEGORIES, STATUS_WORDS, type NotificationDetails } from './notification-details.types';
import {
  ExtraRecipientResponse,
  toExtraRecipientResponse,
  NotifiedContactResponse,
  toNotifiedContactResponse,
} from './recipient.response';

/** The subject of a notification, as it was called then. */
class SubjectEntityResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;
}

/** A notification. */
export class NotificationResponse {
  @ApiProperty({ type: 'integer', example: 301 })
  id!: number;

  @ApiProperty({ description: 'Class and id of the subject in one word', example: 'Invitation-12' })
  entityIndex!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  entityName!: string;

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtStamp!: string;

  @ApiProperty({ enum: [...NOTIFICATION_GROUPS] })
  notificationGroup!: string;

  @ApiProperty({ example: 'new' })
  type!: string;

  @ApiProperty({ example: 'Invitation' })
  entityClass!: string;

  @ApiProperty({ type: 'integer', example: 12 })
  entityId!: number;

  @ApiProperty({ example: 'Organisation' })
  rootEntityClass!: string;

  @ApiProperty({ type: 'integer', example: 3 })
  rootEntityId!: number;

  @ApiProperty({
    type: 'integer',
    description: '0 queued, 1 sent, 2 failed, 3 partly sent',
    enum: [0, 1, 2, 3],
  })
  status!: number;

  @ApiProperty({ enum: [...STATUS_WORDS] })
  statusDisplay!: string;

  @ApiProperty({ enum: [...STATUS_CATEGORIES] })
  statusCategory!: string;

  @ApiProperty({ type: 'integer', example: 0 })
  sendMode!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  priority!: number;

  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  params!: Record<string, unknown>;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Who did it; null where nobody was logged in',
  })
  userId!: number | null;

  @ApiProperty({ type: [NotifiedContactResponse] })
  contacts!: NotifiedContactResponse[];

  @ApiProperty({ type: [ExtraRecipientResponse], description: 'Recipients that are no contacts' })
  extraRecipients!: ExtraRecipientResponse[];

  @ApiProperty({ type: SubjectEntityResponse })
  entity!: SubjectEntityResponse;

  @ApiProperty({ type: UserItemResponse, nullable: true })
  user!: UserItemResponse | null;
}

/** Response of `POST …/notifications`. */
export class CreatedNotificationResponse {
  @ApiProperty({ type: NotificationResponse })
  notificationOrganisation!: NotificationResponse;
}

/** Response of `GET …/notifications` and `GET …/notifications/crm`. */
export class NotificationListResponse {
  @ApiProperty({ type: [NotificationResponse] })
  notifications!: NotificationResponse[];
}

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
  statusCategory: STATUS_CATEGORIES[notification.status],
  sendMode: notification.sendMode,
  priority: notification.priority,
  subject: notification.subject,
  params: { ...notification.params },
  userId: notification.userId,
  contacts: notification.recipients.flatMap(toNotifiedContactResponse),
  extraRecipients: notification.recipients.flatMap(toExtraRecipientResponse),
  entity: { id: notification.entityId, name: notification.entityName },
  user: notification.user === null ? null : toUserItemResponse(notification.user),
});
