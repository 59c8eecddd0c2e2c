import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Logger } from 'pino';
import { Transactions } from '../database/transactions';
import { APP_LOGGER } from '../logging/logger';
import { orderedProviders } from '../discovery/ordered-providers';
import { CleanUp } from './clean-up';
import { JobHandler } from './job-handler';

/** The task that clears away what nobody can use any more. */
const CLEAN_UP = 'upkeep.clean';

/** Batches of one statement in one run: what is left then waits for the next, so that nothing else waits for it. */
const MAX_BATCHES = 50;

@Injectable()
export class CleanUpHandler extends JobHandler {
  readonly task = CLEAN_UP;
  override readonly times = '*/5 * * * *';

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly transactions: Transactions,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  private async hasMore(statement: string): Promise<boolean> {
    const rows = await this.transactions.run((manager) => manager.query<unknown>(statement), {
      isLong: true,
    });
    const [first] = Array.isArray(rows) ? (rows as unknown[]) : [];
    return (first as { more?: unknown } | undefined)?.more === true;
  }

  /** A transaction each, so that a large one holds no locks for the others and a failing one stops none. */
  async run(): Promise<void> {
    const cleanUps = orderedProviders(this.discovery, CleanUp);
    for (const statement of cleanUps.flatMap(({ statements }) => statements)) {
      try {
        for (let batches = 1; (await this.hasMore(statement)) && batches < MAX_BATCHES; batches++);
      } catch (error) {
        this.logger.error({ err: error }, 'clean-up failed, will be tried again in five minutes');
      }
    }
  }
}
