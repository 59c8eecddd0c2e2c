import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { jobContext, type WorkContext } from '@app/platform/context/work-context';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { DeliveryBatches, type DueDelivery } from './delivery-batches';
import { KeptConnection } from './kept-connection';
import { DUE, type DueWebhook, SLOW_DOWN, TAKE } from './turn.queries';
import { shownName } from './webhook.types';
import { type TryOutcome, WebhookSender } from './webhook-sender';
import { signedHeaders, webhookSecretContext } from './webhook-signature';
import { endWaiting } from './webhooks.lifecycle';
import { WEBHOOK_NOTICES } from './webhooks.notices';

/**
 * Maximum webhooks that a process tries at the same time. A webhook whose try takes longer than {@link SLOW}
 * frees its place and counts as slow. So a receiver that hangs occupies a quick place for at most a second.
 */
const QUICK_PLACES = 32;
const SLOW_PLACES = 16;

/**
 * Milliseconds after which a turn starts no further try, because other webhooks wait; a later turn continues.
 */
const TURN = 5000;

/** Milliseconds after which an answer counts as slow. */
const SLOW = 1000;

/**
 * The pause before the next look for webhooks, as a multiple of the duration of the last look. A look reads
 * one delivery of each waiting webhook, and there may be many thousands.
 */
const REST = 2;

/** When a failed delivery is tried again (rule events 35). */
const RETRIES = [
  '5 seconds',
  '5 minutes',
  '30 minutes',
  '2 hours',
  '5 hours',
  '10 hours',
  '14 hours',
  '20 hours',
  '24 hours',
] as const;

/** HTTP 410: the receiver wants no further messages. */
const GONE = 410;

const MARK_HEALTHY = `
  UPDATE webhooks SET last_error = '', failing_since = NULL, failed_tries = 0, is_slow = $2
  WHERE id = $1 AND (failed_tries > 0 OR last_error <> '' OR is_slow <> $2)`;

const FAILED = `
  UPDATE webhook_deliveries SET tries = tries + 1, failures = failures + 1, status = $2, error = $3, duration = $4,
    next_try_at = now() + $5::interval
  WHERE id = $1`;

/** SQL condition: the webhook must be switched off, after 3 days with at least 10 tries and no success. */
const IS_FAILING = `
  UPDATE webhooks SET last_error = $2, failing_since = coalesce(failing_since, now()), failed_tries = failed_tries + 1,
    is_slow = true
  WHERE id = $1
  RETURNING failed_tries >= 10 AND failing_since <= now() - interval '3 days' AS "isHopeless"`;

const SWITCH_OFF = `
  UPDATE webhooks SET enabled = false WHERE id = $1 AND enabled
  RETURNING organisation_id AS "organisationId", url`;

/** The turn of one webhook in this process. */
interface Turn {
  readonly webhookId: number;
  isSlow: boolean;
  over?: Promise<void>;
}

/**
 * Sends due deliveries, one message of a webhook after the other. If the process is killed, its message
 * stays due and is sent again.
 */
@Injectable()
export class DeliveryTurns {
  private readonly turns = new Set<Turn>();
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
    private readonly keyring: SecretsKeyring,
    private readonly sender: WebhookSender,
    private readonly batches: DeliveryBatches,
    private readonly notifications: NotificationRecorder,
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
    for (const { over } of [...this.turns]) await over;
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
      const slow = [...this.turns].filter(({ isSlow }) => isSlow).length;
      const free = [SLOW_PLACES - slow, QUICK_PLACES - (this.turns.size - slow)];
      const due = await this.queries.rows(DUE, free);
      this.lookTime = performance.now() - begun;
      if (due.length > 0) await this.take(due);
    }
  }

  private async take(due: readonly DueWebhook[]): Promise<void> {
    if (this.isEnding) return;
    const taken = await this.transactions.run(contextOf(), (manager) =>
      manager.query<DueWebhook[]>(TAKE, [due.map(({ id }) => id)]),
    );
    for (const { id, isSlow } of taken) {
      const turn: Turn = { webhookId: id, isSlow };
      this.turns.add(turn);
      turn.over = this.run(turn).finally(() => {
        this.turns.delete(turn);
        this.refill();
      });
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

  private async run(turn: Turn): Promise<void> {
    const { webhookId } = turn;
    const ctx = contextOf(webhookId);
    const connection = new KeptConnection();
    try {
      const end = performance.now() + TURN;
      let next = await this.batches.next(webhookId);
      while (next !== undefined && performance.now() < end && !this.isEnding) {
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
    if (hasFailed)
      await this.transactions.run(ctx, (manager) => this.recordFailure(manager, delivery, outcome));
    else if (turn.isSlow || delivery.hasTrouble || isSlow(outcome))
      await this.transactions.run(ctx, (manager) =>
        manager.query(MARK_HEALTHY, [webhookId, isSlow(outcome)]),
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
      .run(ctx, (manager) => manager.query(SLOW_DOWN, [turn.webhookId]))
      .catch(() => undefined);
  }

  private headersOf({ webhookId, messageId, timestamp, body, secret, formerSecret }: DueDelivery) {
    const secrets = [secret, ...(formerSecret === null ? [] : [formerSecret])].map((sealed) =>
      this.keyring.decrypt(sealed, webhookSecretContext(webhookId)),
    );
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'account-api',
      ...signedHeaders({ id: messageId, timestamp, body }, secrets),
    };
  }

  /** Locks the webhook before its delivery, in the same order as changes of the webhook. */
  private async recordFailure(
    manager: EntityManager,
    { id, webhookId, failures }: DueDelivery,
    { status, fault, error, duration }: TryOutcome,
  ): Promise<void> {
    const [failing] = (
      await manager.query<[{ isHopeless: boolean }[], number]>(IS_FAILING, [webhookId, error])
    )[0];
    await manager.query(FAILED, [id, status, error, duration, RETRIES[failures] ?? null]);
    if (status === GONE || failing?.isHopeless === true) await this.switchOff(manager, webhookId, fault);
  }

  private async switchOff(manager: EntityManager, webhookId: number, fault: string): Promise<void> {
    const [rows] = await manager.query<[{ organisationId: number; url: string }[], number]>(SWITCH_OFF, [
      webhookId,
    ]);
    await endWaiting(manager, [webhookId]);
    for (const { organisationId, url } of rows) {
      await this.notifications.record(manager, WEBHOOK_NOTICES.switched_off, {
        organisationId,
        entity: { id: webhookId, name: shownName(url) },
        userId: null,
        params: { reason: fault },
      });
    }
  }
}

const contextOf = (webhookId?: number): WorkContext =>
  jobContext('webhooks.deliver', webhookId === undefined ? undefined : String(webhookId));

const isSlow = ({ fault, duration }: TryOutcome): boolean => fault !== '' || duration >= SLOW;
