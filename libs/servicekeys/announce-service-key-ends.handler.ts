import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { NotificationRecorder } from '@app/notifications/notification-recorder';

/** Keys announced in one transaction. */
const BATCH = 100;

/** A key that ends soon. */
interface EndingKey {
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly daysLeft: 7 | 30;
  /** `2027-01-31 23:59 UTC` */
  readonly expires: string;
}

/**
 * Marks and returns the next keys with 30 or 7 days left, each once for either. Skips keys that were made for less, by
 * the choice of their maker, and rotated keys.
 */
const CLAIM = `
  WITH ending AS (
    SELECT k.id, stage.days
    FROM service_keys k
    CROSS JOIN LATERAL (
      SELECT CASE WHEN k.expires_at <= now() + interval '7 days' THEN 7 ELSE 30 END AS days
    ) stage
    WHERE k.expires_at > now() AND k.expires_at <= now() + interval '30 days' AND k.rotated_at IS NULL
      AND (k.told_days_left IS NULL OR k.told_days_left > stage.days)
      AND k.created_at < k.expires_at - make_interval(days => stage.days)
    ORDER BY k.expires_at LIMIT $1 FOR UPDATE OF k SKIP LOCKED
  ), claimed AS (
    UPDATE service_keys SET told_days_left = ending.days FROM ending WHERE service_keys.id = ending.id
    RETURNING service_keys.id, name, organisation_id AS "organisationId", ending.days AS "daysLeft",
      to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires
  ) SELECT * FROM claimed`;

/** Notifies the System contacts of an organisation 30 and 7 days before a service key ends. */
@Injectable()
export class AnnounceServiceKeyEndsHandler extends JobHandler {
  readonly task = 'servicekeys.announceEnds';
  override readonly times = '27 * * * *';

  constructor(
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {
    super();
  }

  async run(_: unknown, { ctx }: RunningJob): Promise<void> {
    for (let told = BATCH; told === BATCH;) {
      told = await this.transactions.run(ctx, (manager) => this.announceNext(manager));
    }
  }

  private async announceNext(manager: EntityManager): Promise<number> {
    const keys = await manager.query<EndingKey[]>(CLAIM, [BATCH]);
    for (const { id, name, organisationId, daysLeft, expires } of keys) {
      await this.notifications.record(manager, {
        organisationId,
        group: 'System',
        type: `ends_in_${daysLeft}_days`,
        entityClass: 'ServiceKey',
        entityId: id,
        entityName: name,
        userId: null,
        params: { expires },
        canWait: true,
      });
    }
    return keys.length;
  }
}
