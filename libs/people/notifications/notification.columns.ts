import { columnsOf, jsonList, jsonObject, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import {
  type NotificationDetails,
  type NotificationSearch,
  type NotificationUser,
  type Recipient,
  NOTIFICATION_STATUS_CATEGORIES,
  STATUS_WORDS,
} from './notification-details.types';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/access.decorators';
import { isKnownTo } from '@app/security/access/known-users';
import { OPERATOR_ORGANISATION } from '@app/security/access/roles';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import type { NotificationGroup } from './notification.types';

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

/** The reader of notifications: the values of $1, $2 and $3 of the columns. */
export const notificationReaderValues = (reader: Caller): [number, boolean, boolean] => [
  reader.organisationId,
  isAdmin(reader),
  isAdmin(reader) || isCustadmin(reader),
];

/** The audit log hides the same users from the reader. */
const isShown = (user: string): string => isKnownTo(user, { organisation: '$1', admin: '$2' });

const HIDDEN_USER = jsonObject<NotificationUser>({
  id: '0',
  username: `CASE WHEN u.organisation_id = ${OPERATOR_ORGANISATION} THEN 'operator' ELSE 'manager' END`,
  firstName: `''`,
  lastName: `''`,
  roles: `'[]'::json`,
});

const idShown = (user: string): string => `CASE WHEN ${isShown(user)} THEN ${user}.id ELSE 0 END`;

/** A notification with its recipients, as a reader sees it ({@link notificationReaderValues}). */
export const NOTIFICATION_COLUMNS = columnsOf<NotificationDetails>(
  'notifications n',
  'LEFT JOIN users u ON u.id = n.user_id',
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
    userId: {
      read: `CASE WHEN u.id IS NOT NULL THEN ${idShown('u')} END`,
      order: `(SELECT ${idShown('causer')} FROM users causer WHERE causer.id = n.user_id)`,
    },
    user: {
      // Of a deleted user only the id is shown.
      read: `CASE WHEN u.id IS NULL THEN NULL WHEN NOT ${isShown('u')} THEN ${HIDDEN_USER}
        WHEN u.deleted_at IS NULL THEN ${USER} END`,
      order: false,
    },
    recipients: {
      read: `CASE WHEN $3::boolean THEN ${jsonList(
        RECIPIENT,
        'FROM notification_recipients r WHERE r.notification_id = n.id',
        'r.id',
        MAX_RECIPIENTS,
      )} ELSE '[]' END`,
      order: false,
    },
  },
  {
    entityIndex: `n.entity_class || '-' || n.entity_id`,
    rootEntityClass: `'Organisation'::text`,
    statusDisplay: wordOfStatus(STATUS_WORDS),
    statusCategory: wordOfStatus(NOTIFICATION_STATUS_CATEGORIES),
  },
);

/** A notification by its id ($4). */
export const NOTIFICATION_BY_ID = NOTIFICATION_COLUMNS.select('n.id = $4');

/** A page of the notifications of an organisation, optionally of one group. */
export const notificationPage = (
  reader: Caller,
  organisationId: number,
  request: ListRequest<NotificationOrder, NotificationSearch>,
  group: NotificationGroup | undefined,
): PageQuery<NotificationDetails> =>
  new ListQuery(NOTIFICATION_COLUMNS, request, notificationReaderValues(reader))
    .with('n.organisation_id', organisationId)
    .with('n.notification_group', group)
    .with('n.type', request.search.type)
    .filteredBy('lower(concat_ws(chr(10), n.entity_name, n.type, n.notification_group, n.subject))')
    .pickedFirst();

/** The orders of lists of notifications. */
export type NotificationOrder = OrderOf<typeof NOTIFICATION_COLUMNS>;
