import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { jobContext } from '@app/platform/context/work-context';
import { prepared, preparedRows } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { GIVE_BACK, LOCK_TAKEN } from './turn.queries';

const TASK = jobContext('webhooks.deliver');

export interface DueDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly organisationId: number;
  readonly messageId: string;
  readonly body: string;
  /** Failed tries since it was first sent or resent. */
  readonly failures: number;
  readonly url: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  /** Whether the webhook remembers a failure or a slow try, which a success ends. */
  readonly hasTrouble: boolean;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** A delivery that succeeded. */
interface Success {
  readonly id: number;
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
}

interface Step {
  readonly webhookId: number;
  readonly success: Success | undefined;
}

/**
 * Records the successes $1 (ids), $2 (statuses) and $3 (durations), and returns the next due delivery of each
 * of the webhooks $4. The SELECT sees the successes as they were before.
 */
const STEP = prepared<DueDelivery>(`
  WITH recorded AS (
    UPDATE webhook_deliveries d
    SET tries = tries + 1, failures = 0, status = success.status, error = '', duration = success.duration, next_try_at = NULL
    FROM unnest($1::integer[], $2::smallint[], $3::integer[]) AS success (id, status, duration)
    WHERE d.id = success.id)
  SELECT next.id, w.id AS "webhookId", w.organisation_id AS "organisationId", 'msg_' || next.message_id AS "messageId", next.body,
    next.failures, w.url, w.encrypted_secret AS secret,
    CASE WHEN w.former_secret_ends_at > now() THEN w.former_encrypted_secret END AS "formerSecret",
    w.is_slow OR w.failed_tries > 0 OR w.last_error <> '' AS "hasTrouble",
    floor(extract(epoch FROM now()))::float8 AS timestamp
  FROM unnest($4::integer[]) AS asking (webhook_id) JOIN webhooks w ON w.id = asking.webhook_id
  CROSS JOIN LATERAL (
    SELECT d.id, d.message_id, d.body, d.failures FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.next_try_at <= now() AND d.id <> ALL ($1)
    ORDER BY d.next_try_at, d.id LIMIT 1) next`);

/**
 * Does the database work of turns between two messages, for many webhooks in one transaction.
 * Work that arrives during a transaction waits for the next one. So all deliveries together
 * occupy one connection for it.
 */
@Injectable()
export class DeliveryBatches {
  private readonly steps = new Batches<Step, DueDelivery | undefined>((steps) => this.take(steps));
  /**
   * Ends are separate from steps, because the rows of webhooks may be locked while events become deliveries.
   */
  private readonly ends = new Batches<number, void>((webhookIds) => this.giveBack(webhookIds));

  constructor(private readonly transactions: Transactions) {}

  /**
   * Records the success of the previous delivery, if any, and returns the next due delivery of the webhook.
   */
  next(webhookId: number, success?: Success): Promise<DueDelivery | undefined> {
    return this.steps.add({ webhookId, success });
  }

  /** Ends the turn of a webhook. */
  end(webhookId: number): Promise<void> {
    return this.ends.add(webhookId);
  }

  private async take(steps: readonly Step[]): Promise<(DueDelivery | undefined)[]> {
    const successes = steps
      .flatMap(({ success }) => (success === undefined ? [] : [success]))
      // A fixed order, so that two processes never wait for each other.
      .sort((one, other) => one.id - other.id);
    const found = await this.run((manager) =>
      preparedRows<DueDelivery>(manager, STEP, [
        successes.map(({ id }) => id),
        successes.map(({ status }) => status),
        successes.map(({ duration }) => duration),
        steps.map(({ webhookId }) => webhookId),
      ]),
    );
    const byWebhook = new Map(found.map((delivery) => [delivery.webhookId, delivery]));
    return steps.map(({ webhookId }) => byWebhook.get(webhookId));
  }

  private async giveBack(webhookIds: readonly number[]): Promise<void[]> {
    await this.run(async (manager) => {
      await manager.query(LOCK_TAKEN, [webhookIds]);
      await manager.query(GIVE_BACK, [webhookIds]);
    });
    return webhookIds.map(() => undefined);
  }

  private run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.transactions.run(TASK, work);
  }
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs one batch at a time. A batch has all items that arrived during the previous one. */
class Batches<Item, Result> {
  private asked: Asked<Item, Result>[] = [];
  private isRunning = false;

  /** @param run returns the results in the order of the items */
  constructor(private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.asked.push({ item, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.asked.length > 0) {
      const batch = this.asked.splice(0);
      try {
        const results = await this.run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }
}
