import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MailBudget, type MailPot } from '@app/mail/mail-budget';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { type NewJob, queueJob, queueJobs } from '@app/platform/jobs/queue-job';
import { ADD_CONTACTS, MAIL_POT } from './contact-recipients';
import {
  DELIVER_NOTIFICATION,
  DELIVERY_TRIES,
  EXPAND_NOTIFICATION,
  type ExpansionJob,
  RELEASE_NOTIFICATIONS,
} from './notification-recorder';
import { releaseRecipients, skipBeyondHour } from './release-recipients';

/**
 * Mails of an organisation in one turn, half a second's work. The job that releases them stands in one line
 * with all mails, and goes to its end for the next ones: so organisations take turns.
 */
const MAILS_OF_A_TURN = 25;

/** Recipients whose mails wait for the pot $2 of the organisation $1, oldest first. */
const HELD = `
  SELECT r.id FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE coalesce(n.charged_to, n.organisation_id) = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL
    AND ${MAIL_POT} = $2
  ORDER BY r.id LIMIT $3 FOR UPDATE OF r SKIP LOCKED`;

/** Behind the mails that this transaction queues. */
const NEXT_TURN = `SELECT now() + interval '1 millisecond' AS "nextTurn"`;

const HAS_HELD = `
  SELECT FROM notification_recipients WHERE notification_id = $1 AND status = 'queued' AND queued_at IS NULL LIMIT 1`;

/** Maximum waiting mails that one job looks at, because it locks their rows. */
const MOST_WAITING = 1000;

async function heldIds(
  manager: EntityManager,
  organisationId: number,
  pot: MailPot,
  most: number,
): Promise<number[]> {
  const held = await manager.query<{ id: number }[]>(HELD, [organisationId, pot, most]);
  return held.map(({ id }) => id);
}

/** Skips what waits beyond the bounds of its addresses. Returns whether there may be more of it. */
async function skipNoise(manager: EntityManager, organisationId: number, pot: MailPot): Promise<boolean> {
  const waiting = await heldIds(manager, organisationId, pot, MOST_WAITING);
  const skipped = await skipBeyondHour(manager, organisationId, waiting);
  return skipped > 0 && waiting.length === MOST_WAITING;
}

/** Queues the deliveries that count on the budget of an organisation, as many as it allows in this hour. */
@Injectable()
export class NotificationRelease {
  constructor(private readonly budget: MailBudget) {}

  /** Alarms take of the rest too, so they pass what waits of it. */
  async release(manager: EntityManager, organisationId: number, pot: MailPot): Promise<void> {
    if (pot === 'rest') await this.releasePot(manager, organisationId, 'alarms');
    await this.releasePot(manager, organisationId, pot);
  }

  /**
   * Further mails wait without jobs of their own; one job of the pot releases them when the next hour begins.
   * A mail that its address is not sent any more leaves the budget to others.
   */
  private async releasePot(manager: EntityManager, organisationId: number, pot: MailPot): Promise<void> {
    const held = await heldIds(manager, organisationId, pot, MAILS_OF_A_TURN + 1);
    const wanted = Math.min(held.length, MAILS_OF_A_TURN);
    const granted = await this.budget.take(manager, organisationId, wanted, pot);
    const ids = await releaseRecipients(manager, organisationId, held.slice(0, granted));
    const skipped = granted - ids.length;
    await this.budget.giveBack(manager, organisationId, skipped, pot);
    await queueJobs(manager, {
      task: DELIVER_NOTIFICATION,
      payloads: ids.map((recipientId) => ({ recipientId })),
      priority: 'bulk',
      tries: DELIVERY_TRIES,
    });
    if (held.length === granted) return;
    if (granted < wanted && skipped === 0 && !(await skipNoise(manager, organisationId, pot))) {
      await this.queue(manager, organisationId, pot, { runAt: await this.budget.nextHour(manager) });
    } else if (ids.length > 0) {
      const [row] = await manager.query<{ nextTurn: Date }[]>(NEXT_TURN);
      await this.queue(manager, organisationId, pot, { runAt: (row as { nextTurn: Date }).nextTurn });
    } else await this.queue(manager, organisationId, pot, {});
  }

  /** The turn comes when all mails that wait now have been taken. */
  async takeTurn(manager: EntityManager, organisationId: number, pot: MailPot): Promise<void> {
    await this.queue(manager, organisationId, pot, { keepsPlace: true });
  }

  private async queue(
    manager: EntityManager,
    organisationId: number,
    pot: MailPot,
    place: Pick<NewJob, 'runAt' | 'keepsPlace'>,
  ): Promise<void> {
    await queueJob(manager, {
      task: RELEASE_NOTIFICATIONS,
      payload: { organisationId, pot } satisfies ReleaseJob,
      priority: 'bulk',
      key: `${RELEASE_NOTIFICATIONS}:${organisationId}:${pot}`,
      ...place,
    });
  }
}

/** Payload of the job. */
interface ReleaseJob {
  readonly organisationId: number;
  readonly pot: MailPot;
}

@Injectable()
export class ReleaseNotificationsHandler extends JobHandler {
  readonly task = RELEASE_NOTIFICATIONS;
  override readonly lane = 'mails';

  constructor(
    private readonly transactions: Transactions,
    private readonly releases: NotificationRelease,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { organisationId, pot } = payload as ReleaseJob;
    await this.transactions.run(ctx, (manager) => this.releases.release(manager, organisationId, pot));
  }
}

/** If the job runs again, this finds no row. */
const BEGIN = `
  WITH begun AS (
    UPDATE notifications n SET is_expanded = true WHERE id = $1 AND NOT is_expanded
    RETURNING coalesce(charged_to, organisation_id) AS "chargedTo", ${MAIL_POT} AS pot
  ) SELECT * FROM begun`;

/**
 * Writes the recipients of a notification that its event did not write. Their mails are released in turn,
 * within the budget that they count on.
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
      const [begun] = await manager.query<{ chargedTo: number; pot: MailPot }[]>(BEGIN, [notificationId]);
      if (begun === undefined) return;
      await manager.query(ADD_CONTACTS, [notificationId, everyContact, roles]);
      // A notification without queued recipients gets its final status at once.
      await manager.query('SELECT settle_notification($1)', [notificationId]);
      const held = await manager.query<unknown[]>(HAS_HELD, [notificationId]);
      if (held.length > 0) await this.releases.takeTurn(manager, begun.chargedTo, begun.pot);
    });
  }
}
