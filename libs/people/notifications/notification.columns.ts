import { isKnownTo } from '@app/people/users/known-users';
import { User } from '@app/people/users/user.entity';
import {
  bytewise,
  columnsOf,
  jsonList,
  jsonObject,
  namesOf,
  ordered,
  type OrderOf,
  type RowOf,
  shown,
} from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/caller';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { Notification, NotificationRecipient } from './notification.entity';
import type { NotificationGroup } from './notification.types';
import {
  NOTIFICATION_STATUS_CATEGORIES,
  type NotificationSearch,
  type NotificationUser,
  type Recipient,
  STATUS_WORDS,
} from './notification-details.types';

const USER = jsonObject<NotificationUser>(
  namesOf(User, 'u', ['id', 'username', 'firstName', 'lastName', 'roles']),
);

const RECIPIENT = jsonObject<Recipient>({
  ...namesOf(NotificationRecipient, 'r', [
    'id',
    'contactId',
    'fullName',
    'language',
    'status',
    'type',
    'value',
    'message',
  ]),
  createdAt: 'floor(extract(epoch FROM r.created_at))',
});

/** Maximum recipients in a response, oldest first (rule notifications 20). */
const MAX_RECIPIENTS = 2000;

/** SQL for the word of a status number. Lists are ordered by this word, because the reader sees it. */
const wordOfStatus = (words: readonly string[]): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[n.status + 1]`;

/** The reader of notifications: the values of $1, $2 and $3 in the columns. */
export const notificationReaderValues = (reader: Caller): [number, boolean, boolean] => [
  reader.organisationId,
  isAdmin(reader),
  isShownRecipients(reader),
];

/** By a grant nobody sees recipients (rule grants 25), and at home its managers do. */
const isShownRecipients = (reader: Caller): boolean =>
  reader.grant === undefined && (isAdmin(reader) || isCustadmin(reader));

/** Hides the same users as the audit log. */
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
export const NOTIFICATION_COLUMNS = columnsOf(Notification, 'n', {
  ordered: ['id', 'organisationId', 'entityId', 'entityName', 'status', 'sendMode', 'priority', 'subject'],
  codes: ['group', 'type', 'entityClass'],
  shown: ['params'],
  seconds: ['createdAt'],
  sql: {
    userId: ordered<number | null>(
      `CASE WHEN u.id IS NOT NULL THEN ${idShown('u')} END`,
      `(SELECT ${idShown('causer')} FROM users causer WHERE causer.id = n.user_id)`,
    ),
    // Responses show only the id of a deleted user.
    user: shown<NotificationUser | null>(
      `CASE WHEN u.id IS NULL THEN NULL WHEN NOT ${isShown('u')} THEN ${HIDDEN_USER}
        WHEN u.deleted_at IS NULL THEN ${USER} END`,
    ),
    // Empty for readers who do not manage the organisation.
    recipients: shown<readonly Recipient[]>(
      `CASE WHEN $3 THEN ${jsonList(
        RECIPIENT,
        'FROM notification_recipients r WHERE r.notification_id = n.id',
        'r.id',
        MAX_RECIPIENTS,
      )} ELSE '[]' END`,
    ),
  },
  joins: 'LEFT JOIN users u ON u.id = n.user_id',
  orders: {
    entityIndex: bytewise(`(n.entity_class || '-' || n.entity_id)`),
    rootEntityClass: bytewise(`'Organisation'::text`),
    statusDisplay: bytewise(wordOfStatus(STATUS_WORDS)),
    statusCategory: bytewise(wordOfStatus(NOTIFICATION_STATUS_CATEGORIES)),
  },
});

/** A notification as responses show it. */
export type NotificationDetails = RowOf<typeof NOTIFICATION_COLUMNS>;

export type NotificationOrder = OrderOf<typeof NOTIFICATION_COLUMNS>;

/** A notification by its id ($4). */
export const NOTIFICATION_BY_ID = NOTIFICATION_COLUMNS.select('n.id = $4');

/** A page of the notifications of an organisation, optionally of one group. */
export const notificationPage = (
  reader: Caller,
  organisationId: number,
  request: ListRequest<NotificationOrder, NotificationSearch>,
  group: NotificationGroup | undefined,
) =>
  new ListQuery(NOTIFICATION_COLUMNS, request, notificationReaderValues(reader))
    .with('n.organisation_id', organisationId)
    .with('n.notification_group', group)
    .with('n.type', request.search.type)
    .filteredBy('concat_ws(chr(10), n.entity_name, n.type, n.notification_group, n.subject)')
    .pickedFirst();
