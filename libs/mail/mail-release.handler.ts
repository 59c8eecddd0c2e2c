import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { MailBudget } from './mail-budget';
import { queueRelease, RELEASE_MAILS, type ReleaseJob } from './mail-jobs';
import { MailSources } from './mail-source';

/**
 * Mails of an organisation in one turn, half a second's work. The job that releases them stands in one line
 * with all mails, and goes to its end for the next ones: so organisations take turns.
 */
const MAILS_OF_A_TURN = 25;

/** Behind the mails that this transaction queues. */
const NEXT_TURN = `SELECT now() + interval '1 millisecond' AS "nextTurn"`;

/** Maximum waiting mails that one job looks at, because it locks their rows. */
const MOST_WAITING = 1000;

/**
 * Releases mails that count on the budget of an organisation, as many as it allows in this hour. Nothing
 * else takes of the budget.
 */
@Injectable()
export class ReleaseMailsHandler extends JobHandler {
  readonly task = RELEASE_MAILS;
  override readonly lane = 'mails';

  constructor(
    private readonly transactions: Transactions,
    private readonly budget: MailBudget,
    private readonly sources: MailSources,
  ) {
    super();
  }

  /** Alarms take of the rest too, so they pass what waits of it. */
  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { source, organisationId, pot } = payload as ReleaseJob;
    await this.transactions.run(ctx, async (manager) => {
      if (pot === 'rest') await this.release(manager, { source, organisationId, pot: 'alarms' });
      await this.release(manager, { source, organisationId, pot });
    });
  }

  /**
   * Further mails wait without jobs of their own; one job of the line releases them when the next hour
   * begins. A mail that its address is not sent any more leaves the budget to others.
   */
  private async release(manager: EntityManager, line: ReleaseJob): Promise<void> {
    const { organisationId, pot } = line;
    const source = this.sources.named(line.source);
    const held = await source.held(manager, organisationId, pot, MAILS_OF_A_TURN + 1);
    const wanted = Math.min(held.length, MAILS_OF_A_TURN);
    const granted = await this.budget.take(manager, organisationId, wanted, pot);
    const released = await source.release(manager, organisationId, held.slice(0, granted));
    await this.budget.giveBack(manager, organisationId, granted - released.queued, pot);
    if (released.held > 0) {
      await queueRelease(manager, line, { runAt: await this.budget.nextHour(manager) });
      return;
    }
    if (held.length === granted) return;
    const skipped = granted - released.queued;
    if (granted < wanted && skipped === 0 && !(await this.skipNoise(manager, line))) {
      await queueRelease(manager, line, { runAt: await this.budget.nextHour(manager) });
    } else if (released.queued > 0) {
      const [row] = await manager.query<{ nextTurn: Date }[]>(NEXT_TURN);
      await queueRelease(manager, line, { runAt: (row as { nextTurn: Date }).nextTurn });
    } else await queueRelease(manager, line, {});
  }

  /** Skips what waits beyond the bounds of its addresses. Returns whether there may be more of it. */
  private async skipNoise(
    manager: EntityManager,
    { source: name, organisationId, pot }: ReleaseJob,
  ): Promise<boolean> {
    const source = this.sources.named(name);
    const waiting = await source.held(manager, organisationId, pot, MOST_WAITING);
    const skipped = await source.skipBeyondHour(manager, organisationId, waiting);
    return skipped > 0 && waiting.length === MOST_WAITING;
  }
}
