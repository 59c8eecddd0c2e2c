import { Injectable } from '@nestjs/common';
import { takeTurn } from '@app/mail/mail-jobs';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { ADD_CONTACTS } from './contact-recipients';
import { EXPAND_NOTIFICATION, type ExpansionJob, queueExpansion } from './notification-recorder';

const HAS_UNRELEASED = `
  SELECT FROM notification_recipients WHERE notification_id = $1 AND status = 'queued' AND queued_at IS NULL LIMIT 1`;

const SETTLE = `SELECT settle_notification($1)`;

/**
 * What people post is expanded one after the other for each customer: one to thousands of contacts takes
 * seconds, and a customer who posts hundreds would have every worker for minutes.
 */
const TAKE_TURN_OF_CUSTOMER = `
  SELECT pg_try_advisory_xact_lock(hashtext('${EXPAND_NOTIFICATION}'), customer_id) AS "isFree",
    now() + interval '1 second' AS later
  FROM notifications WHERE id = $1`;

interface Turn {
  readonly isFree: boolean;
  /** When the job asks again. */
  readonly later: Date;
}

/** If the job runs again, this finds no row. */
const BEGIN = `
  WITH begun AS (
    UPDATE notifications n SET is_expanded = true WHERE id = $1 AND NOT is_expanded
    RETURNING customer_id AS "customerId"
  ) SELECT * FROM begun`;

/**
 * Writes the recipients of a notification that its event did not write. Their mails are released in turn,
 * in the line of the customer who caused it.
 */
@Injectable()
export class ExpandNotificationHandler extends JobHandler {
  readonly task = EXPAND_NOTIFICATION;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async run(payload: unknown, { ctx, priority }: RunningJob): Promise<void> {
    const { notificationId, everyContact, roles, keepsWords = false } = payload as ExpansionJob;
    await this.transactions.run(ctx, async (manager) => {
      if (priority === 'bulk') {
        const [turn] = await manager.query<Turn[]>(TAKE_TURN_OF_CUSTOMER, [notificationId]);
        if (turn?.isFree === false)
          return queueExpansion(manager, payload as ExpansionJob, { priority, runAt: turn.later });
      }
      const [begun] = await manager.query<{ customerId: number }[]>(BEGIN, [notificationId]);
      if (begun === undefined) return;
      await manager.query(ADD_CONTACTS, [notificationId, everyContact, roles, keepsWords]);
      // A notification without queued recipients gets its final status at once.
      await manager.query(SETTLE, [notificationId]);
      const unreleased = await manager.query<unknown[]>(HAS_UNRELEASED, [notificationId]);
      if (unreleased.length > 0) await takeTurn(manager, begun.customerId);
    });
  }
}
