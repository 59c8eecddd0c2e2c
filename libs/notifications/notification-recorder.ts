import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queueJob } from '@app/core/jobs/queue-job';
import { isPlainEmailAddress } from '@app/core/text/email-address';
import { DELIVER_NOTIFICATION, EXPAND_NOTIFICATION, DELIVERY_TRIES } from './notification-jobs';
import type { ExtraRecipient, NotificationEvent } from './notification.types';

/** Most characters of a subject's name that are kept (the column's width). */
const MAX_NAME_LENGTH = 255;

const INSERT = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id,
    entity_name, user_id, subject, params, about_user_id, link_templates, is_expanded)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false) RETURNING id`;

/** The user itself, by the name that mail goes to from now on. */
const OWN_NAME = `
  SELECT coalesce($2, username) AS value, first_name || ' ' || last_name AS "fullName", language
  FROM users WHERE id = $1`;

/** An address that is told besides the contacts, as a contact where it is one. */
const INSERT_EXTRA = `
  INSERT INTO notification_recipients (notification_id, kind, user_id, contact_id, full_name, language, type, value,
    status, hash, queued_at)
  SELECT $1, $2::varchar, $3::integer, (
      SELECT c.id FROM contacts c
      WHERE c.type = 'email' AND c.unique_key = lower($6)
        AND (c.user_id = $3::integer OR (c.user_id IS NULL AND c.organisation_id = $7))
      ORDER BY c.user_id NULLS LAST LIMIT 1),
    $4, $5, 'email', $6, 'queued', gen_random_uuid(), CASE WHEN $2::varchar <> 'gone' THEN now() END
  ON CONFLICT DO NOTHING RETURNING id`;

/** Writes notifications. */
@Injectable()
export class NotificationRecorder {
  /**
   * Writes a notification in the transaction of what it tells about, so that neither is ever there without the
   * other. However many contacts there are, they cost it one job, which writes the recipients; the user whom a
   * security event is about waits for no such job. Gives the id of the notification.
   */
  async record(manager: EntityManager, event: NotificationEvent): Promise<number> {
    const [row] = await manager.query<{ id: number }[]>(INSERT, [
      event.organisationId,
      event.group,
      event.type,
      event.entityClass,
      event.entityId,
      [...event.entityName].slice(0, MAX_NAME_LENGTH).join(''),
      event.userId,
      event.subject ?? null,
      JSON.stringify(event.params ?? {}),
      event.aboutUserId ?? null,
      event.linkTemplates ?? null,
    ]);
    const { id } = row as { id: number };
    const own = await ownRecipient(manager, event);
    for (const extra of [...(own === undefined ? [] : [own]), ...(event.extraRecipients ?? [])]) {
      await this.addExtra(manager, id, event, extra);
    }
    await queueJob(manager, {
      task: EXPAND_NOTIFICATION,
      payload: { notificationId: id, everyContact: event.everyContact === true },
      priority: 'bulk',
    });
    return id;
  }

  private async addExtra(
    manager: EntityManager,
    id: number,
    { organisationId, aboutUserId, canWait }: NotificationEvent,
    { kind, fullName, language, value }: ExtraRecipient,
  ): Promise<void> {
    const [added] = await manager.query<{ id: number }[]>(INSERT_EXTRA, [
      id,
      kind,
      aboutUserId ?? null,
      fullName,
      language,
      value,
      organisationId,
    ]);
    if (added === undefined || kind !== 'own') return;
    await queueJob(manager, {
      task: DELIVER_NOTIFICATION,
      payload: { recipientId: added.id },
      priority: canWait === true ? 'bulk' : 'urgent',
      tries: DELIVERY_TRIES,
    });
  }
}

/** The user whom a security event is about is told at its own name, if that is an address. */
async function ownRecipient(
  manager: EntityManager,
  { group, aboutUserId, ownName }: NotificationEvent,
): Promise<ExtraRecipient | undefined> {
  if (group !== 'System' || aboutUserId === undefined) return undefined;
  const [user] = await manager.query<Omit<ExtraRecipient, 'kind'>[]>(OWN_NAME, [
    aboutUserId,
    ownName ?? null,
  ]);
  return user !== undefined && isPlainEmailAddress(user.value) ? { kind: 'own', ...user } : undefined;
}
