import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import type { NotificationGroup } from '../notification.types';
import { NOTIFICATION_COLUMNS } from './notification.columns';
import type {
  NotificationDetails,
  NotificationOrder,
  NotificationSearch,
} from './notification-details.types';

/** One notification by its id ($1). */
export const NOTIFICATION_BY_ID = NOTIFICATION_COLUMNS.select('n.id = $1');

/** A page of the notifications of an organisation, of one group where it is given. */
export const notificationPage = (
  organisationId: number,
  request: ListRequest<NotificationOrder, NotificationSearch>,
  group: NotificationGroup | undefined,
): Query<NotificationDetails> =>
  new ListQuery(NOTIFICATION_COLUMNS, request)
    .with('n.organisation_id', organisationId)
    .with('n.notification_group', group)
    .with('n.type', request.search.type)
    .filteredBy('lower(concat_ws(chr(10), n.entity_name, n.type, n.notification_group, n.subject))')
    .pickedFirst();
