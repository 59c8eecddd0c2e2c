import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MailBudget } from '@app/mail/mail-budget';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { queueJob, queueJobs } from '@app/platform/jobs/queue-job';
import { ADD_CONTACTS } from './contact-recipients';
import {
  DELIVER_NOTIFICATION,
  DELIVERY_TRIES,
  EXPAND_NOTIFICATION,
  type ExpansionJob,
  RELEASE_NOTIFICATIONS,
} from './notification-recorder';
import { releaseRecipients } from './release-recipients';

/** Maximum mails that one job releases, because it locks their rows and occupies a worker. */
const BATCH = 1000;

/** Recipients whose mails wait for the hourly budget of the organisation $1, oldest first. */
const HELD = `
  SELECT r.id FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE coalesce(n.charged_to, n.organisation_id) = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL
  ORDER BY r.id LIMIT $2 FOR UPDATE OF r SKIP LOCKED`;

/** Queues the deliveries that count on the budget of an organisation, as many as it allows in this hour. */
@Injectable()
export class NotificationRelease {
  constructor(private readonly budget: MailBudget) {}

  /**
   * Further mails wait without jobs of their own; one job releases them when the next hour begins. A mail
   * that its address is not sent any more leaves the budget to others.
   */
  async release(manager: EntityManager, organisationId: number): Promise<void> {
    const held = await manager.query<{ id: number }[]>(HELD, [organisationId, BATCH + 1]);
    const wanted = Math.min(held.length, BATCH);
    const granted = await this.budget.take(manager, organisationId, wanted);
    const counted = held.slice(0, granted).map(({ id }) => id);
    const ids = await releaseRecipients(manager, organisationId, counted);
    const skipped = granted - ids.length;
    await this.budget.giveBack(manager, organisationId, skipped);
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
      ...(granted < wanted && skipped === 0 && { runAt: await this.budget.nextHour(manager) }),
    });
  }
}

@Injectable()
export class ReleaseNotificationsHandler extends JobHandler {
  readonly task = RELEASE_NOTIFICATIONS;

  constructor(
    private readonly transactions: Transactions,
    private readonly releases: NotificationRelease,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { organisationId } = payload as { organisationId: number };
    await this.transactions.run(ctx, (manager) => this.releases.release(manager, organisationId));
  }
}

/** If the job runs again, this finds no row. */
const BEGIN = `
  WITH begun AS (
    UPDATE notifications SET is_expanded = true WHERE id = $1 AND NOT is_expanded RETURNING organisation_id, charged_to
  ) SELECT coalesce(charged_to, organisation_id) AS "chargedTo" FROM begun`;

/**
 * Writes the recipients of a notification that its event did not write, and releases their mails within the
 * budget that they count on.
 */
@Injectable()
export class ExpandNotificationHandler extends JobHandler {
  readonly task = EXPAND_NOTIFICATION;

  constructor(
    private readonly transactions: Transactions,
    private readonly releases: NotificationRelease,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { notificationId, everyContact, roles } = payload as ExpansionJob;
    await this.transactions.run(ctx, async (manager) => {
      const [begun] = await manager.query<{ chargedTo: number }[]>(BEGIN, [notificationId]);
      if (begun === undefined) return;
      await manager.query(ADD_CONTACTS, [notificationId, everyContact, roles]);
      // A notification without queued recipients gets its final status at once.
      await manager.query('SELECT settle_notification($1)', [notificationId]);
      await this.releases.release(manager, begun.chargedTo);
    });
  }
}
