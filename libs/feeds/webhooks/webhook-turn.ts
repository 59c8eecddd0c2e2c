import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { jobContext, type WorkContext } from '@app/platform/context/work-context';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { DeliveryBatches, type DueDelivery } from './delivery-batches';
import { planRetry } from './delivery-retries';
import { KeptConnection } from './kept-connection';
import { WebhookHealth } from './webhook-health';
import { type TryOutcome, WebhookSender } from './webhook-sender';
import { signedHeaders, webhookSecretContext } from './webhook-signature';

/**
 * Milliseconds after which a turn starts no further try, because other webhooks wait; a later turn continues.
 */
const TURN = 5000;

/** Milliseconds after which an answer counts as slow. */
const SLOW = 1000;

/** HTTP 410: the receiver wants no further messages. */
const GONE = 410;

/** The turn of one webhook in this process. */
export interface Turn {
  readonly webhookId: number;
  /** Whether the last try failed or took long, also while a try lasts. */
  isSlow: boolean;
}

/**
 * Sends the due deliveries of one webhook, one after the other. If the process is killed, the message stays
 * due and is sent again.
 */
@Injectable()
export class WebhookTurn {
  constructor(
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly sender: WebhookSender,
    private readonly batches: DeliveryBatches,
    private readonly health: WebhookHealth,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** @param isEnding whether the process starts no further try */
  async run(turn: Turn, isEnding: () => boolean): Promise<void> {
    const { webhookId } = turn;
    const ctx = jobContext('webhooks.deliver', String(webhookId));
    const connection = new KeptConnection();
    try {
      const end = performance.now() + TURN;
      let next = await this.batches.next(webhookId);
      while (next !== undefined && performance.now() < end && !isEnding()) {
        const slowDown = setTimeout(() => void this.slowDown(ctx, turn), SLOW);
        const outcome = await this.sender
          .post({ ...next, headers: this.headersOf(next) }, connection)
          .finally(() => clearTimeout(slowDown));
        next = await this.following(ctx, turn, next, outcome);
      }
      await this.batches.end(webhookId);
    } catch (error) {
      this.logger.warn({ err: error, webhook: webhookId }, 'a webhook could not be tried, will be retried');
    } finally {
      connection.close();
    }
  }

  /** Records the outcome, and returns the next due delivery of the webhook. */
  private async following(
    ctx: WorkContext,
    turn: Turn,
    delivery: DueDelivery,
    outcome: TryOutcome,
  ): Promise<DueDelivery | undefined> {
    const { webhookId } = turn;
    const hasFailed = outcome.fault !== '';
    if (hasFailed) await this.recordFailure(ctx, delivery, outcome);
    else if (turn.isSlow || delivery.hasTrouble || isSlow(outcome))
      await this.transactions.run(ctx, (manager) =>
        this.health.markHealthy(manager, webhookId, isSlow(outcome)),
      );
    turn.isSlow = isSlow(outcome);
    return this.batches.next(webhookId, hasFailed ? undefined : { id: delivery.id, ...outcome });
  }

  /**
   * Marks the webhook as slow while the try hangs. An error here does no harm, because the
   * outcome marks the webhook too.
   */
  private async slowDown(ctx: WorkContext, turn: Turn): Promise<void> {
    turn.isSlow = true;
    await this.transactions
      .run(ctx, (manager) => this.health.markSlow(manager, turn.webhookId))
      .catch(() => undefined);
  }

  /** Locks the webhook before its delivery, in the same order as changes of the webhook. */
  private async recordFailure(ctx: WorkContext, delivery: DueDelivery, outcome: TryOutcome): Promise<void> {
    const { webhookId } = delivery;
    await this.transactions.run(ctx, async (manager) => {
      const isHopeless = await this.health.noteFailure(manager, webhookId, outcome.error);
      await planRetry(manager, delivery, outcome);
      if (outcome.status === GONE || isHopeless)
        await this.health.switchOff(manager, webhookId, outcome.fault);
    });
  }

  private headersOf({ webhookId, messageId, timestamp, body, secret, formerSecret }: DueDelivery) {
    const secrets = [secret, ...(formerSecret === null ? [] : [formerSecret])].map((encrypted) =>
      this.keyring.decrypt(encrypted, webhookSecretContext(webhookId)),
    );
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'account-api',
      ...signedHeaders({ id: messageId, timestamp, body }, secrets),
    };
  }
}

const isSlow = ({ fault, duration }: TryOutcome): boolean => fault !== '' || duration >= SLOW;
