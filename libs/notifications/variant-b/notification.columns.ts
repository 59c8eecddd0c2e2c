import { columnsOf, jsonList, jsonObject, ListQuery, type PageQuery } from '@app/platform/lists/list-query';
import {
  type NotificationDetails,
  type NotificationOrder,
  type NotificationSearch,
  type NotificationUser,
  type Recipient,
  STATUS_CATEGORIES,
  STATUS_WORDS,
} from './notification-details.types';
import type { ListRequest } from '@app/platform/lists/paginator';
import type { NotificationGroup } from '../notification.types';

const USER = jsonObject<NotificationUser>({
  id: 'u.id',
  username: 'u.username',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  roles: 'u.roles',
});

const RECIPIENT = jsonObject<Recipient>({
  id: 'r.id',
  contactId: 'r.contact_id',
  createdAt: 'floor(extract(epoch FROM r.created_at))',
  fullName: 'r.full_name',
  language: 'r.language',
  status: 'r.status',
  type: 'r.type',
  value: 'r.value',
  message: 'r.message',
});

/** Most recipients in a response, oldest first (decisions.md 12.14). */
const MAX_RECIPIENTS = 2000;

/** The word of a status number: lists are ordered by what the reader sees. */
const wordOfStatus = (words: readonly string[]): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[n.status + 1]`;

/** A notification with its recipients. */
export const NOTIFICATION_COLUMNS = columnsOf<NotificationDetails>(
  'notifications n',
  // Of a deleted user only the id is shown.
  'LEFT JOIN users u ON u.id = n.user_id AND u.deleted_at IS NULL',
)(
  {
    id: { read: 'n.id', order: true },
    organisationId: { read: 'n.organisation_id', order: true },
    createdAt: { read: 'floor(extract(epoch FROM n.created_at))::float8', order: 'n.created_at' },
    group: { read: 'n.notification_group', order: true },
    type: { read: 'n.type', order: true },
    entityClass: { read: 'n.entity_class', order: true },
    entityId: { read: 'n.entity_id', order: true },
    entityName: { read: 'n.entity_name', order: true },
    status: { read: 'n.status', order: true },
    sendMode: { read: 'n.send_mode', order: true },
    priority: { read: 'n.priority', order: true },
    subject: { read: 'n.subject', order: true },
    params: { read: 'n.params', order: false },
    userId: { read: 'n.user_id', order: true },
    user: { read: `CASE WHEN u.id IS NOT NULL THEN ${USER} END`, order: false },
    recipients: {
      read: jsonList(
        RECIPIENT,
        'FROM notification_recipients r WHERE r.notification_id = n.id',
        'r.id',
        MAX_RECIPIENTS,
      ),
      order: false,
    },
  },
  {
    entityIndex: `n.entity_class || '-' || n.entity_id`,
    rootEntityClass: `'Organisation'::text`,
    statusDisplay: wordOfStatus(STATUS_WORDS),
    statusCategory: wordOfStatus(STATUS_CATEGORIES),
  },
);

/** One notification by its id ($1). */
export const NOTIFICATION_BY_ID = NOTIFICATION_COLUMNS.select('n.id = $1');

/** A page of the notifications of an organisation, optionally of one group. */
export const notificationPage = (
  organisationId: number,
  request: ListRequest<NotificationOrder, NotificationSearch>,
  group: NotificationGroup | undefined,
): PageQuery<NotificationDetails> =>
  new ListQuery(NOTIFICATION_COLUMNS, request)
    .with('n.organisation_id', organisationId)
    .with('n.notification_group', group)
    .with('n.type', request.search.type)
    .filteredBy('lower(concat_ws(chr(10), n.entity_name, n.type, n.notification_group, n.subject))')
    .pickedFirst();
