import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { WorkContext } from '../context/work-context';
import { Transactions } from '../database/transactions';
import { APP_LOGGER } from '../observability/logger';
import { JobHandler, type RunningJob } from './job-handler';

/** Jobs without tries left are kept for a month, for the operator. */
export const DELETE_FAILED_JOBS = `
  SELECT count(*) FROM graphile_worker.complete_jobs((SELECT coalesce(array_agg(id), '{}') FROM graphile_worker.jobs
    WHERE attempts >= max_attempts AND updated_at < now() - interval '30 days'))`;

/**
 * Maximum batches of one statement in one run. The rest waits for the next run, so that other
 * statements get their turn.
 */
const MAX_BATCHES = 50;

/**
 * Deletes expired rows every five minutes. Readers check the expiry of a row themselves. A clean-up only
 * keeps tables small, so it may be late or missing.
 */
@Injectable()
export class CleanUpHandler extends JobHandler {
  readonly task = 'upkeep.clean';
  override readonly times = '*/5 * * * *';
  /**
   * Each statement has its own transaction. A statement that works in batches returns `more`:
   * whether its batch was full.
   */
  statements: readonly string[] = [];

  constructor(
    private readonly transactions: Transactions,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  private async hasMore(ctx: WorkContext, statement: string): Promise<boolean> {
    const work = (manager: EntityManager) => manager.query<readonly { more?: unknown }[]>(statement);
    const [row] = await this.transactions.run(ctx, work, { isLong: true });
    return row?.more === true;
  }

  /** A failing statement does not stop the others. */
  async run(_: unknown, { ctx }: RunningJob): Promise<void> {
    for (const statement of this.statements) {
      try {
        for (let batches = 1; (await this.hasMore(ctx, statement)) && batches < MAX_BATCHES; batches++);
      } catch (error) {
        this.logger.error({ err: error }, 'clean-up failed, will be retried in five minutes');
      }
    }
  }
}
