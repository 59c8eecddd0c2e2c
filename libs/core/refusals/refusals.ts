import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { prepared, PreparedQueries } from '../database/prepared-queries';
import { APP_LOGGER } from '../logging/logger';
import { Metrics } from '../metrics/metrics';
import type { Refusal } from './refusal';
import { RefusalBatch } from './refusal-batch';

/** Milliseconds that a batch gathers before it is written. */
const BATCH_TIME = 60_000;

const WRITE = prepared('SELECT audit_refusals($1::jsonb)');

/**
 * Writes refused credentials, denials and lock-outs into the audit log, beside the answers: a row a minute for those
 * that have everything in common, with their count. An attacker makes neither a write for each request nor more rows
 * than a batch holds; what finds no place, or cannot be written, is counted in the metrics.
 */
@Injectable()
export class Refusals implements BeforeApplicationShutdown {
  private batch = new RefusalBatch();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly queries: PreparedQueries,
    private readonly metrics: Metrics,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  note(refusal: Refusal): void {
    if (!this.batch.add(refusal, new Date())) this.metrics.dropRefusals(1);
    this.timer ??= setTimeout(() => void this.write(), BATCH_TIME).unref();
  }

  /** Writes what has been gathered; batches follow one another. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { batch } = this;
    this.batch = new RefusalBatch();
    if (batch.size > 0) this.writing = this.writing.then(() => this.store(batch));
    return this.writing;
  }

  /** What was noted is written before the connections to the database end. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  private async store(batch: RefusalBatch): Promise<void> {
    try {
      await this.queries.rows(WRITE, [JSON.stringify(batch.counted)]);
    } catch (error) {
      const lost = batch.counted.reduce((sum, { count }) => sum + count, 0);
      this.metrics.dropRefusals(lost);
      this.logger.warn({ err: error, lost }, 'refusals could not be written into the audit log');
    }
  }
}
