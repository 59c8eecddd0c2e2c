import { setTimeout as pauseFor } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { APP_LOGGER, quietenOutage } from '../observability/logger';
import { lazily } from '../process/lazily';
import { DatabasePool, poolOf } from './database-pool';

/** Milliseconds between two attempts to reach a database that is away. */
const RETRY_INTERVAL = 500;
/** An answer settles all suspicions for this many milliseconds, because a full pool raises many. */
const TRUST = 5000;

/** Logs once when the database goes away and once when it is back, and lets work wait for it. */
@Injectable()
export class DatabaseWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private asking: Promise<boolean> | undefined;
  private answeredAt = -Infinity;
  private readonly pool = lazily(() => poolOf(this.dataSource));
  private readonly stopping = new AbortController();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.pool().onSuspectedLoss = () => {
      if (performance.now() - this.answeredAt > TRUST) void this.answers();
    };
  }

  beforeApplicationShutdown(): void {
    this.pool().onSuspectedLoss = undefined;
    this.stopping.abort();
  }

  /**
   * Resolves when a new connection to the database can write, or the process stops. Returns
   * whether the database was away.
   */
  answers(): Promise<boolean> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<boolean> {
    const {
      options: { connectionString = '' },
      keepsSessions,
    } = this.pool();
    const applicationName = 'account-api-watch';
    const pool = new DatabasePool({ connectionString, keepsSessions, applicationName });
    const begun = performance.now();
    let isAway = false;
    while (!this.stopping.signal.aborted) {
      try {
        await pool.query('SELECT 1');
        break;
      } catch (error) {
        if (!isAway) {
          const { message } = error as Error;
          this.logger.error(
            { reason: message },
            'the database cannot be reached: requests are answered 503 and jobs wait until it is back',
          );
        }
        isAway = true;
        quietenOutage(this.logger, true);
      }
      await pauseFor(RETRY_INTERVAL, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    await pool.end();
    this.answeredAt = performance.now();
    quietenOutage(this.logger, false);
    if (isAway && !this.stopping.signal.aborted) {
      const seconds = Math.round((this.answeredAt - begun) / 1000);
      this.logger.info({ seconds }, 'the database is back');
    }
    return isAway;
  }
}
