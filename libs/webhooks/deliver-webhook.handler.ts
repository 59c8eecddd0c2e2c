import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { type TryOutcome, WebhookSender } from './webhook-sender';
import { signedHeaders, webhookSecretContext } from './webhook-signature';
import { endWaiting } from './webhooks.service';

/** The job that sends what is due of one webhook, one message after the other. */
export const DELIVER_WEBHOOK = 'webhooks.deliver';

/** Payload of the job. */
export interface DeliveryJob {
  readonly webhookId: number;
}

/** Milliseconds after which a job begins no further try: others wait for its worker. The next sweep goes on. */
const TURN = 5000;

/** Milliseconds from which an answer is slow: the webhook then waits for other workers than those that answer well. */
const SLOW = 1000;

/** When a failed delivery is tried again (decisions.md 12.7). */
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

/** HTTP 410: the receiver wants no more. */
const GONE = 410;

interface DueDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly messageId: string;
  readonly body: string;
  /** Failed tries since it was sent or sent again. */
  readonly failures: number;
  readonly url: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  /** Unix seconds. */
  readonly timestamp: number;
}

const NEXT = prepared<DueDelivery>(`
  SELECT d.id, d.webhook_id AS "webhookId", 'msg_' || d.message_id AS "messageId", d.body, d.failures, w.url,
    w.sealed_secret AS secret,
    CASE WHEN w.former_secret_ends_at > now() THEN w.former_sealed_secret END AS "formerSecret",
    floor(extract(epoch FROM now()))::float8 AS timestamp
  FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.webhook_id = $1 AND d.next_try_at <= now()
  ORDER BY d.next_try_at, d.id LIMIT 1`);

const SUCCEEDED = `
  UPDATE webhook_deliveries
  SET tries = tries + 1, failures = 0, status = $2, error = '', duration = $3, next_try_at = NULL
  WHERE id = $1`;

const IS_WELL = `
  UPDATE webhooks SET last_error = '', failing_since = NULL, failed_tries = 0, is_slow = $2
  WHERE id = $1 AND (failed_tries > 0 OR last_error <> '' OR is_slow <> $2)`;

const FAILED = `
  UPDATE webhook_deliveries SET tries = tries + 1, failures = failures + 1, status = $2, error = $3, duration = $4,
    next_try_at = now() + $5::interval
  WHERE id = $1`;

/** Whether it is to be switched off: 3 days in which at least 10 tries were made and none succeeded. */
const IS_FAILING = `
  UPDATE webhooks SET last_error = $2, failing_since = coalesce(failing_since, now()), failed_tries = failed_tries + 1,
    is_slow = true
  WHERE id = $1
  RETURNING failed_tries >= 10 AND failing_since <= now() - interval '3 days' AS "isHopeless"`;

const SWITCH_OFF = `
  UPDATE webhooks SET enabled = false WHERE id = $1 AND enabled
  RETURNING organisation_id AS "organisationId", url`;

/** Sends messages to the receiver of a webhook. A killed process leaves its message due, so it is sent again. */
@Injectable()
export class DeliverWebhookHandler extends JobHandler {
  readonly task = DELIVER_WEBHOOK;
  override readonly isOutbound = true;

  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly sender: WebhookSender,
    private readonly notifications: NotificationRecorder,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { webhookId } = payload as DeliveryJob;
    for (const end = performance.now() + TURN; performance.now() < end;) {
      const next = await this.queries.row(NEXT, [webhookId]);
      if (next === undefined) return;
      const outcome = await this.sender.post({ ...next, headers: this.headersOf(next) });
      await this.transactions.run(ctx, (manager) => this.record(manager, next, outcome));
    }
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

  /** Locks the webhook before its delivery, as its changes do. */
  private async record(manager: EntityManager, delivery: DueDelivery, outcome: TryOutcome): Promise<void> {
    const { id, webhookId, failures } = delivery;
    const { status, error, duration } = outcome;
    if (error === '') {
      await manager.query(IS_WELL, [webhookId, duration >= SLOW]);
      await manager.query(SUCCEEDED, [id, status, duration]);
      return;
    }
    const [failing] = (
      await manager.query<[{ isHopeless: boolean }[], number]>(IS_FAILING, [webhookId, error])
    )[0];
    await manager.query(FAILED, [id, status, error, duration, RETRIES[failures] ?? null]);
    if (status === GONE || failing?.isHopeless === true) await this.switchOff(manager, webhookId, error);
  }

  private async switchOff(manager: EntityManager, webhookId: number, error: string): Promise<void> {
    const [rows] = await manager.query<[{ organisationId: number; url: string }[], number]>(SWITCH_OFF, [
      webhookId,
    ]);
    await endWaiting(manager, webhookId);
    for (const { organisationId, url } of rows) {
      await this.notifications.record(manager, {
        organisationId,
        group: 'System',
        type: 'switched_off',
        entityClass: 'Webhook',
        entityId: webhookId,
        // The path may hold a secret.
        entityName: new URL(url).host,
        userId: null,
        params: { reason: error },
        canWait: true,
      });
    }
  }
}
