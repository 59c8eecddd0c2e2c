import { Injectable } from '@nestjs/common';
import type { MailPot } from '@app/mail/mail-budget';
import { takeTurn } from '@app/mail/mail-jobs';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { ADD_CONTACTS, MAIL_POT } from './contact-recipients';
import { EXPAND_NOTIFICATION, type ExpansionJob } from './notification-recorder';

const HAS_HELD = `
  SELECT FROM notification_recipients WHERE notification_id = $1 AND status = 'queued' AND queued_at IS NULL LIMIT 1`;

/** If the job runs again, this finds no row. */
const BEGIN = `
  WITH begun AS (
    UPDATE notifications n SET is_expanded = true WHERE id = $1 AND NOT is_expanded
    RETURNING coalesce(charged_to, organisation_id) AS "organisationId", ${MAIL_POT} AS pot
  ) SELECT * FROM begun`;

/**
 * Writes the recipients of a notification that its event did not write. Their mails are released in turn,
 * within the budget that they count on.
 */
@Injectable()
export class ExpandNotificationHandler extends JobHandler {
  readonly task = EXPAND_NOTIFICATION;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { notificationId, everyContact, roles } = payload as ExpansionJob;
    await this.transactions.run(ctx, async (manager) => {
      const [begun] = await manager.query<{ organisationId: number; pot: MailPot }[]>(BEGIN, [
        notificationId,
      ]);
      if (begun === undefined) return;
      await manager.query(ADD_CONTACTS, [notificationId, everyContact, roles]);
      // A notification without queued recipients gets its final status at once.
      await manager.query('SELECT settle_notification($1)', [notificationId]);
      const held = await manager.query<unknown[]>(HAS_HELD, [notificationId]);
      if (held.length > 0) await takeTurn(manager, { source: 'recipient', ...begun });
    });
  }
}
