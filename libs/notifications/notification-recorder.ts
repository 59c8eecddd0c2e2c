import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NotificationEvent } from './notification.values';

/** Most characters of a subject's name that are kept (the column's width). */
const LONGEST_NAME = 255;

const INSERT = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id,
    entity_name, user_id, subject, params)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`;

/**
 * One recipient for each address of the organisation's and its users' contacts that chose the group, and one job for
 * each that can be sent to: two statements for an event, however many are told of it.
 */
const TELL_CONTACTS = `
  WITH told AS (
    INSERT INTO notification_recipients (notification_id, contact_id, full_name, language, type, value, status, hash)
    SELECT DISTINCT ON (c.type, lower(c.name)) $1, c.id,
      CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END, coalesce(u.language, 'nl'),
      c.type, c.name, CASE c.type WHEN 'email' THEN 'queued' ELSE 'skipped' END, gen_random_uuid()
    FROM contacts c
    JOIN organisations o ON o.id = c.organisation_id
    LEFT JOIN users u ON u.id = c.user_id
    WHERE c.organisation_id = $2 AND $3 = ANY (c.groups)
      AND (c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL))
    ORDER BY c.type, lower(c.name), c.user_id NULLS LAST, c.id
    RETURNING id, status
  )
  SELECT count(job.id)::integer AS queued
  FROM told
  CROSS JOIN LATERAL graphile_worker.add_job($4, json_build_object('recipientId', told.id), max_attempts => $5) job
  WHERE told.status = 'queued'`;

/** The task that tells one recipient. */
export const DELIVER_NOTIFICATION = 'notifications.deliver';

/**
 * graphile-worker waits e^n seconds after the nth try, from the tenth on six hours: 13 tries reach over most of a day.
 * News older than that is not worth sending any more.
 */
const MOST_TRIES = 13;

/** Writes notifications. */
@Injectable()
export class NotificationRecorder {
  /**
   * Writes a notification and queues its delivery in the transaction of what it tells about, so that neither is
   * ever there without the other. Gives the id of the notification.
   */
  async record(manager: EntityManager, event: NotificationEvent): Promise<number> {
    const [row] = await manager.query<{ id: number }[]>(INSERT, [
      event.organisationId,
      event.group,
      event.type,
      event.entityClass,
      event.entityId,
      [...event.entityName].slice(0, LONGEST_NAME).join(''),
      event.userId,
      event.subject ?? null,
      JSON.stringify(event.params ?? {}),
    ]);
    const { id } = row as { id: number };
    const [told] = await manager.query<{ queued: number }[]>(TELL_CONTACTS, [
      id,
      event.organisationId,
      event.group,
      DELIVER_NOTIFICATION,
      MOST_TRIES,
    ]);
    // With nobody to wait for it is over at once; recipients that are skipped say so themselves.
    if (told?.queued === 0) await manager.query(`UPDATE notifications SET status = 1 WHERE id = $1`, [id]);
    return id;
  }
}
