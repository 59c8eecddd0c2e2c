import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import {
  STATUS_CATEGORIES,
  STATUS_WORDS,
  type NotificationGroup,
  type NotificationOrder,
  type NotificationSearch,
} from './notification.values';

const DETAILS = `n.id, n.organisation_id AS "organisationId", floor(extract(epoch FROM n.created_at))::float8 AS "createdAt",
    n.notification_group AS "group", n.type, n.entity_class AS "entityClass", n.entity_id AS "entityId",
    n.entity_name AS "entityName", n.status, n.send_mode AS "sendMode", n.priority, n.subject, n.params,
    n.user_id AS "userId",
    CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'username', u.username,
      'firstName', u.first_name, 'lastName', u.last_name, 'roles', u.roles) END AS "user",
    (SELECT coalesce(json_agg(json_build_object('id', r.id, 'contactId', r.contact_id,
        'createdAt', floor(extract(epoch FROM r.created_at)), 'fullName', r.full_name, 'language', r.language,
        'status', r.status, 'type', r.type, 'value', r.value, 'hash', r.hash) ORDER BY r.id), '[]')
      FROM notification_recipients r WHERE r.notification_id = n.id) AS recipients`;

/** What is deleted disappears from every read: of a deleted user only the id stays. */
const USER_OF_N = 'LEFT JOIN users u ON u.id = n.user_id AND u.deleted_at IS NULL';

/** One notification by its id ($1). */
export const NOTIFICATION_BY_ID = prepared(
  `SELECT ${DETAILS} FROM notifications n ${USER_OF_N} WHERE n.id = $1`,
);

/** The word of the status at its place, so that ordering by words orders as the reader sees them. */
const wordOfStatus = (words: readonly string[]): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[n.status + 1]`;

const EXPRESSION_OF: Readonly<Record<NotificationOrder, string>> = {
  id: 'n.id',
  entityIndex: `n.entity_class || '-' || n.entity_id`,
  entityName: 'n.entity_name',
  createdAt: 'n.created_at',
  group: 'n.notification_group',
  type: 'n.type',
  entityClass: 'n.entity_class',
  entityId: 'n.entity_id',
  rootEntityClass: `'Organisation'::text`,
  organisationId: 'n.organisation_id',
  status: 'n.status',
  statusDisplay: wordOfStatus(STATUS_WORDS),
  statusCategory: wordOfStatus(STATUS_CATEGORIES),
  sendMode: 'n.send_mode',
  priority: 'n.priority',
  subject: 'n.subject',
  userId: 'n.user_id',
};

/** A page of the notifications of an organisation, of one group where it is given. */
export function notificationPage(
  organisationId: number,
  request: ListRequest<NotificationOrder, NotificationSearch>,
  group: NotificationGroup | undefined,
): Query {
  const values: unknown[] = [organisationId, request.limit + 1, request.offset];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['n.organisation_id = $1'];
  if (group !== undefined) conditions.push(`n.notification_group = ${parameter(group)}`);
  if (request.search.type !== undefined) conditions.push(`n.type = ${parameter(request.search.type)}`);
  if (request.filter !== undefined) {
    const pattern = parameter(substringPattern(request.filter));
    conditions.push(
      `concat_ws(chr(10), n.entity_name, n.type, n.notification_group, n.subject) ILIKE ${pattern}`,
    );
  }
  const direction = request.descending ? 'DESC' : 'ASC';
  const key = EXPRESSION_OF[request.orderBy];
  const order = request.orderBy === 'id' ? `n.id ${direction}` : `${key} ${direction}, n.id ${direction}`;
  return {
    // The page is picked first, so that recipients are gathered for its rows alone.
    statement: prepared(`
      SELECT ${DETAILS}
      FROM (SELECT n.id FROM notifications n WHERE ${conditions.join(' AND ')}
        ORDER BY ${order} LIMIT $2 OFFSET $3) picked
      JOIN notifications n ON n.id = picked.id ${USER_OF_N}
      ORDER BY ${order}`),
    values,
  };
}
