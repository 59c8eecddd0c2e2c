import { orderBy } from '@app/platform/lists/columns';
import {
  NOTIFICATION_COLUMNS,
  type NotificationDetails,
  type NotificationOrder,
} from './notification.columns';
import { responseShape } from '@app/platform/dto/shapes';
import { createNotificationShape } from './notification.dto';
import type { NotificationSearch } from './notification-details.types';
import {
  CreatedNotificationResponse,
  NotificationListResponse,
  NotificationResponse,
  toNotificationResponse,
} from './notification.response';
import { listShape } from '@app/platform/lists/list-request';

/** The request and response shapes of notifications. */
export class NotificationsShapes {
  /** Body of `POST …/notifications`. */
  readonly create = createNotificationShape;
  /** Response of `POST …/notifications`. */
  readonly created = responseShape(CreatedNotificationResponse, (notification: NotificationDetails) => ({
    notificationOrganisation: toNotificationResponse(notification),
  }));
  /** Response of `GET …/notifications` and `GET …/notifications/crm`. */
  readonly list = listShape<
    NotificationDetails,
    NotificationListResponse,
    NotificationOrder,
    NotificationSearch
  >(
    NotificationListResponse,
    {
      orderBy: orderBy(NOTIFICATION_COLUMNS, NotificationResponse, {
        dtStamp: 'createdAt',
        notificationGroup: 'group',
        rootEntityId: 'organisationId',
      }),
      search: { type: 'type' },
      exact: { type: 'The type of the notification, such as new, exactly as it is written' },
    },
    (page) => ({ notifications: page.items.map(toNotificationResponse) }),
  );
}
