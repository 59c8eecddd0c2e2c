import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Transactions } from '../database/transactions';
import { APP_LOGGER } from '../logging/logger';
import { CLEAN_UPS } from './clean-ups';
import { JobHandler } from './job-handler';

/** The task that clears away what nobody can use any more. */
export const CLEAN_UP = 'upkeep.clean';

@Injectable()
export class CleanUpHandler extends JobHandler {
  readonly task = CLEAN_UP;

  constructor(
    private readonly transactions: Transactions,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /** A transaction each, so that a large one holds no locks for the others and a failing one stops none. */
  async run(): Promise<void> {
    for (const statement of CLEAN_UPS) {
      try {
        await this.transactions.run((manager) => manager.query(statement));
      } catch (error) {
        this.logger.error({ err: error }, 'clean-up failed, will be tried again in five minutes');
      }
    }
  }
}
