import { singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { NOTIFICATION_COLUMNS } from './notification.columns';
import { createNotificationShape } from './notification.dto';
import { NotificationResponse, toNotificationResponse } from './notification.response';

/** The request and response shapes of notifications. */
export class NotificationsShapes {
  /** Body of `POST …/notifications`. */
  readonly create = createNotificationShape;
  /** Response of `POST …/notifications`. */
  readonly created = singleOf('notificationOrganisation', NotificationResponse, toNotificationResponse, {
    as: 'CreatedNotificationResponse',
    description: 'The new notification',
  });
  /** Response of `GET …/notifications` and `GET …/notifications/crm`. */
  readonly list = listOf(
    'notifications',
    NOTIFICATION_COLUMNS,
    NotificationResponse,
    toNotificationResponse,
    {
      orders: { dtStamp: 'createdAt', notificationGroup: 'group', rootEntityId: 'organisationId' },
      search: { type: 'type' },
      exact: { type: 'The type of the notification, such as new, exactly as it is written' },
    },
  );
}
