import { prepared } from '@app/core/database/prepared-queries';
import { firstItems } from '@app/core/lists/long-list';
import { columnsOf, jsonObject } from '@app/core/paging/column-table';
import {
  STATUS_CATEGORIES,
  STATUS_WORDS,
  type NotificationUser,
  type Recipient,
  type NotificationDetails,
} from './notification-details.types';

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

/** Recipients that are read with their notification; of one with more, the others are read as they are written. */
export const MAX_RECIPIENTS_AT_ONCE = 500;

/** Those of notification $1 that follow recipient $2. */
export const RECIPIENTS_AFTER = prepared<{ item: Recipient }>(`
  SELECT ${RECIPIENT} AS item FROM notification_recipients r WHERE r.notification_id = $1 AND r.id > $2
  ORDER BY r.id LIMIT ${MAX_RECIPIENTS_AT_ONCE}`);

/** How many there are of notification $1. */
export const RECIPIENTS_COUNT = prepared<{ count: number }>(
  'SELECT count(*)::integer FROM notification_recipients WHERE notification_id = $1',
);

/** The word of the status at its place, so that ordering by words orders as the reader sees them. */
const wordOfStatus = (words: readonly string[]): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[n.status + 1]`;

/** A notification with everything that answers show. */
export const NOTIFICATION_COLUMNS = columnsOf<NotificationDetails>(
  'notifications n',
  // What is deleted disappears from every read: of a deleted user only the id stays.
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
      read: firstItems(
        RECIPIENT,
        'FROM notification_recipients r WHERE r.notification_id = n.id',
        'r.id',
        MAX_RECIPIENTS_AT_ONCE,
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
