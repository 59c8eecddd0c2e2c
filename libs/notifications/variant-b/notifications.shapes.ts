import { ApiProperty } from '@nestjs/swagger';
import { creationShape, listShape, replyShape } from '@app/core/wire/shapes';
import type {
  NewNotification,
  NotificationDetails,
  NotificationOrder,
  NotificationSearch,
} from '../notification.values';
import { NotificationReply, notificationReply } from './notification-reply';
import { NotificationRequest } from './notification-request';

class NotificationListAnswer {
  @ApiProperty({ type: [NotificationReply] })
  notifications!: NotificationReply[];
}

class NotificationCreatedAnswer {
  @ApiProperty({ type: NotificationReply })
  notificationOrganisation!: NotificationReply;
}

/** The request and response shapes of notifications, whose routes exist in Variant B only. */
export class NotificationsShapes {
  /** Body of `POST …/notifications`. */
  readonly creation = creationShape(NotificationRequest, (dto): NewNotification => ({
    type: dto.type,
    group: dto.group,
    params: dto.params ?? {},
  }));

  /** Answer of `POST …/notifications`. */
  readonly created = replyShape(NotificationCreatedAnswer, (notification: NotificationDetails) => ({
    notificationOrganisation: notificationReply(notification),
  }));

  /** Answer of `GET …/notifications` and `GET …/notifications/crm`. */
  readonly list = listShape<
    NotificationDetails,
    NotificationListAnswer,
    NotificationOrder,
    NotificationSearch
  >(
    NotificationListAnswer,
    {
      orderBy: {
        id: 'id',
        entityIndex: 'entityIndex',
        entityName: 'entityName',
        dtStamp: 'createdAt',
        notificationGroup: 'group',
        type: 'type',
        entityClass: 'entityClass',
        entityId: 'entityId',
        rootEntityClass: 'rootEntityClass',
        rootEntityId: 'organisationId',
        status: 'status',
        statusDisplay: 'statusDisplay',
        statusCategory: 'statusCategory',
        sendMode: 'sendMode',
        priority: 'priority',
        subject: 'subject',
        userId: 'userId',
      },
      search: { type: 'type' },
      tag: false,
    },
    (page) => ({ notifications: page.items.map(notificationReply) }),
  );
}
