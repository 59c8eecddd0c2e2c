import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import { jobContext } from '@app/platform/context/work-context';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { DUE, type DueWebhook, TAKE } from './turn.queries';
import { type Turn, WebhookTurn } from './webhook-turn';

/**
 * Maximum webhooks that a process tries at the same time. A webhook whose try lasts longer than a second
 * frees its place and counts as slow. So a receiver that hangs occupies a quick place for at most a second.
 */
const QUICK_PLACES = 32;
const SLOW_PLACES = 16;

/**
 * The pause before the next look for webhooks, as a multiple of the duration of the last look. A look ranks
 * all webhooks that are due, and after an outage these may be many thousands.
 */
const REST = 2;

const TASK = jobContext('webhooks.deliver');

/** Decides which webhooks this process tries now. */
@Injectable()
export class DeliveryTurns {
  /** The turns in progress, and their ends. */
  private readonly turns = new Map<Turn, Promise<void>>();
  private isEnding = false;
  /** The look for due webhooks that runs, or will begin soon. */
  private look: Promise<void> | undefined;
  private isAskedAgain = false;
  private isRefilling = false;
  /** Duration of the last look in milliseconds. */
  private lookTime = 0;

  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly webhookTurn: WebhookTurn,
    private readonly settings: Settings,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** Looks for due webhooks, and begins as many turns as places are free. The look begins after this call. */
  begin(): Promise<void> {
    this.isAskedAgain = true;
    return (this.look ??= this.takeDue().finally(() => {
      this.look = undefined;
    }));
  }

  /** Waits for the tries in progress. */
  async ended(): Promise<void> {
    await Promise.all(this.turns.values());
  }

  /** Starts no further tries, and waits for those in progress. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.look?.catch(() => undefined);
    await this.ended();
  }

  /** One look at a time, because two would fill the same places. */
  private async takeDue(): Promise<void> {
    while (this.isAskedAgain && !this.isEnding) {
      this.isAskedAgain = false;
      const begun = performance.now();
      const slow = [...this.turns.keys()].filter(({ isSlow }) => isSlow).length;
      const free = [SLOW_PLACES - slow, QUICK_PLACES - (this.turns.size - slow)];
      const due = await this.queries.rows(DUE, free);
      this.lookTime = performance.now() - begun;
      if (due.length > 0) await this.take(due);
    }
  }

  private async take(due: readonly DueWebhook[]): Promise<void> {
    if (this.isEnding) return;
    const taken = await this.transactions.run(TASK, (manager) =>
      manager.query<DueWebhook[]>(TAKE, [due.map(({ id }) => id)]),
    );
    for (const { id, isSlow } of taken) {
      const turn: Turn = { webhookId: id, isSlow };
      const over = this.webhookTurn
        .run(turn, () => this.isEnding)
        .finally(() => {
          this.turns.delete(turn);
          this.refill();
        });
      this.turns.set(turn, over);
    }
  }

  /** Looks soon for webhooks that waited for a place, instead of with the next sweep. */
  private refill(): void {
    if (this.isRefilling || this.isEnding || !this.settings.worker) return;
    this.isRefilling = true;
    setTimeout(() => {
      this.isRefilling = false;
      this.begin().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'due webhooks could not be read, will be retried');
      });
    }, REST * this.lookTime);
  }
}
