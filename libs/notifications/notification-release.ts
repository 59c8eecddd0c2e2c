import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queueJob, queueJobs } from '@app/core/jobs/queue-job';
import { MailBudget } from '@app/core/mail/mail-budget';
import { DELIVER_NOTIFICATION, DELIVERY_TRIES, RELEASE_NOTIFICATIONS } from './notification-jobs';

/** Most mails that one job releases: it holds their rows, and a place of the worker, only for a moment. */
const BATCH = 1000;

/** Recipients of the organisation $1 whose mail was not released yet, oldest first. */
const HELD = `
  SELECT r.id FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE n.organisation_id = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL
  ORDER BY r.id LIMIT $2 FOR UPDATE OF r SKIP LOCKED`;

/** Writes the delivery jobs of an organisation's recipients, as many as its hourly budget has places for. */
@Injectable()
export class NotificationRelease {
  constructor(private readonly budget: MailBudget) {}

  /** What finds no place waits, without a job of its own: one job releases the rest when the next hour begins. */
  async release(manager: EntityManager, organisationId: number): Promise<void> {
    const held = await manager.query<{ id: number }[]>(HELD, [organisationId, BATCH + 1]);
    const wanted = Math.min(held.length, BATCH);
    const granted = await this.budget.take(manager, organisationId, wanted);
    const ids = held.slice(0, granted).map(({ id }) => id);
    await manager.query(
      'UPDATE notification_recipients SET queued_at = now() WHERE id = ANY ($1::integer[])',
      [ids],
    );
    await queueJobs(manager, {
      task: DELIVER_NOTIFICATION,
      payloads: ids.map((recipientId) => ({ recipientId })),
      priority: 'bulk',
      tries: DELIVERY_TRIES,
    });
    if (held.length === granted) return;
    await queueJob(manager, {
      task: RELEASE_NOTIFICATIONS,
      payload: { organisationId },
      priority: 'bulk',
      key: `${RELEASE_NOTIFICATIONS}:${organisationId}`,
      ...(granted < wanted && { runAt: await this.budget.nextHour(manager) }),
    });
  }
}
