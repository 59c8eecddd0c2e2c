import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  PersonalData,
  touchedBy,
  type Person,
  type StoredRecord,
  type Texts,
} from '@app/core/privacy/personal-data';

const STORED = `
  SELECT id, organisation_id AS "organisationId", created_at AS "createdAt", notification_group AS "group", type,
    entity_class AS "entityClass", entity_id AS "entityId", entity_name AS "entityName", subject, params,
    user_id IS NOT DISTINCT FROM $1 AS "causedByPerson", about_user_id IS NOT DISTINCT FROM $1 AS "aboutPerson"
  FROM notifications WHERE user_id = $1 OR about_user_id = $1 ORDER BY id`;

const PATTERN = `CASE WHEN organisation_id = $1 THEN $2 ELSE $3 END`;
const NAMES_PERSON = `id BETWEEN $4 AND $5 AND (entity_name ~* ${PATTERN} OR subject ~* ${PATTERN}
  OR params::text ~* ${PATTERN})`;

const FORGET = `
  UPDATE notifications SET entity_name = left(forget_in_text(entity_name, ${PATTERN}), 255),
    subject = left(forget_in_text(subject, ${PATTERN}), 255), params = forget_in_json(params, ${PATTERN}, true)
  WHERE ${NAMES_PERSON}`;

const textValues = (
  { organisationId, within, everywhere }: Person,
  from: number,
  to: number,
): readonly unknown[] => [organisationId, within, everywhere, from, to];

@Injectable()
export class NotificationPersonalData extends PersonalData {
  readonly table = 'notifications';
  readonly position = 130;
  readonly part = 'notifications';
  readonly about = 'What happened that the person did, or that was about the person.';

  /** Subjects that are the user were emptied with the deletion; what was done stays, with the id of who did it. */
  readonly erase = (manager: EntityManager, { id }: Person): Promise<number> =>
    touchedBy(
      manager,
      `UPDATE notifications SET entity_name = '', subject = NULL, params = '{}'
       WHERE about_user_id = $1 AND (entity_name, subject, params) IS DISTINCT FROM ('', NULL, '{}'::jsonb)`,
      [id],
    );

  override readonly texts: Texts = {
    last: (manager) => lastId(manager, 'notifications'),
    forget: (manager, person, from, to) => touchedBy(manager, FORGET, textValues(person, from, to)),
    count: (manager, person, from, to) =>
      countOf(
        manager,
        `SELECT count(*) FROM notifications WHERE ${NAMES_PERSON}`,
        textValues(person, from, to),
      ),
  };

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [id]);
  }
}

const OF_PERSON = `(user_id = $1 OR lower(value) = ANY ($2::text[]))`;

const FORGET_RECIPIENTS = `
  UPDATE notification_recipients SET full_name = '', value = '', message = '',
    status = CASE status WHEN 'queued' THEN 'skipped' ELSE status END
  WHERE ${OF_PERSON} AND (full_name, value, message) IS DISTINCT FROM ('', '', '')`;

/** A mail server may have named the person in why it refused another's mail. */
const NAMED_IN_MESSAGES = `id BETWEEN $2 AND $3 AND (message ~* $1 OR full_name ~* $1)`;

@Injectable()
export class RecipientPersonalData extends PersonalData {
  readonly table = 'notification_recipients';
  readonly position = 131;
  readonly part = 'notificationsReceived';
  readonly about = 'Where news were sent to the person, and what became of it.';

  readonly erase = (manager: EntityManager, { id, addresses }: Person): Promise<number> =>
    touchedBy(manager, FORGET_RECIPIENTS, [id, addresses]);

  override readonly texts: Texts = {
    last: (manager) => lastId(manager, 'notification_recipients'),
    forget: (manager, { everywhere }, from, to) =>
      touchedBy(
        manager,
        `UPDATE notification_recipients SET message = left(forget_in_text(message, $1), 255),
           full_name = left(forget_in_text(full_name, $1), 511)
         WHERE ${NAMED_IN_MESSAGES}`,
        [everywhere, from, to],
      ),
    count: (manager, { everywhere }, from, to) =>
      countOf(manager, `SELECT count(*) FROM notification_recipients WHERE ${NAMED_IN_MESSAGES}`, [
        everywhere,
        from,
        to,
      ]),
  };

  stored(manager: EntityManager, { id, addresses }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT notification_id AS "notificationId", created_at AS "createdAt", type, value, full_name AS "fullName",
         language, status, message
       FROM notification_recipients WHERE ${OF_PERSON} ORDER BY id`,
      [id, addresses],
    );
  }
}

async function lastId(
  manager: EntityManager,
  table: 'notifications' | 'notification_recipients',
): Promise<number> {
  const [row] = await manager.query<{ last: number | null }[]>(`SELECT max(id) AS last FROM ${table}`);
  return row?.last ?? 0;
}

async function countOf(manager: EntityManager, query: string, values: readonly unknown[]): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(query, [...values]);
  return Number(row?.count ?? 0);
}
