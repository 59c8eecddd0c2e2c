import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { type EndedGrant, GrantNotifications } from './grant-notifications';

/**
 * Notifies both organisations of the end of a grant to manage. The trigger `notify_end_of_grant` queues it.
 */
@Injectable()
export class NotifyEndOfGrantHandler extends JobHandler {
  readonly task = 'grants.ended';

  constructor(
    private readonly transactions: Transactions,
    private readonly notifications: GrantNotifications,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      this.notifications.ofManaging(manager, 'ended', { ...(payload as EndedGrant), expiresAt: null }),
    );
  }
}

/** Grants that one transaction deletes. */
const BATCH = 100;

/** A trigger queues the notifications. */
const DELETE_ENDED = `
  DELETE FROM acls WHERE id IN (
    SELECT id FROM acls WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id`;

/** Deletes grants that have ended. They gave nobody access any more. */
@Injectable()
export class EndGrantsHandler extends JobHandler {
  readonly task = 'grants.end';
  override readonly times = '*/5 * * * *';

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async run(_: unknown, { ctx }: RunningJob): Promise<void> {
    for (let done = BATCH; done === BATCH;) {
      done = await this.transactions.run(ctx, async (manager) => {
        const [ended] = await manager.query<[unknown[], number]>(DELETE_ENDED, [BATCH]);
        return ended.length;
      });
    }
  }
}
