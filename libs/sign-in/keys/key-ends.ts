import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Advice, NotificationKind, Phrase } from '@app/people/notifications/notification-kind';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import type { KeyTable } from './key-rows';

/** Keys that are announced in one transaction. */
const BATCH = 100;

/** A key that ends soon. */
interface EndingKey {
  readonly id: number;
  readonly name: string;
  /** Null for a key of an organisation. */
  readonly userId: number | null;
  readonly organisationId: number;
  readonly daysLeft: 7 | 30;
  /** `2027-01-31 23:59 UTC` */
  readonly expires: string;
}

export const EXPIRES: Phrase = ['Verloopt op', 'Expires on', 'Expire le'];

export const REPLACE_IN_TIME: Advice = {
  words: [
    'Hebt u de sleutel nog nodig? Vervang hem dan op tijd in het klantenpaneel.',
    'If you still need the key, replace it in the control panel in time.',
    'Vous avez encore besoin de cette clé ? Remplacez-la à temps dans le panneau de contrôle.',
  ],
  callToAction: 'panel',
};

/** A kind of keys whose ends are announced. */
export interface AnnouncedKeys {
  readonly table: KeyTable;
  readonly notifications: Readonly<Record<`ends_in_${EndingKey['daysLeft']}_days`, NotificationKind>>;
  /** SQL for user and organisation of the key `k`. */
  readonly userId: string;
  readonly organisationId: string;
  /** SQL that joins the user, if keys of this kind have one. */
  readonly join: string;
}

/**
 * Marks and returns the next keys with 30 or 7 days left, each key once for each number of days. Skips
 * rotated keys, and keys whose maker chose a shorter lifetime.
 */
const claim = ({ table, userId, organisationId, join }: AnnouncedKeys): string => `
  WITH ending AS (
    SELECT k.id, ${userId} AS user_id, ${organisationId} AS organisation_id, stage.days
    FROM ${table} k ${join}
    CROSS JOIN LATERAL (
      SELECT CASE WHEN k.expires_at <= now() + interval '7 days' THEN 7 ELSE 30 END AS days
    ) stage
    WHERE k.expires_at > now() AND k.expires_at <= now() + interval '30 days' AND k.rotated_at IS NULL
      AND (k.notified_days_left IS NULL OR k.notified_days_left > stage.days)
      AND k.created_at < k.expires_at - make_interval(days => stage.days)
    ORDER BY k.expires_at LIMIT $1 FOR UPDATE OF k SKIP LOCKED
  ), claimed AS (
    UPDATE ${table} SET notified_days_left = ending.days FROM ending WHERE ${table}.id = ending.id
    RETURNING ${table}.id, name, ending.user_id AS "userId", ending.organisation_id AS "organisationId",
      ending.days AS "daysLeft", to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS expires
  ) SELECT * FROM claimed`;

/** Announces the ends of keys of one kind, 30 and 7 days before. */
@Injectable()
export abstract class KeyEndsHandler extends JobHandler {
  protected abstract readonly keys: AnnouncedKeys;

  constructor(
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {
    super();
  }

  async run(_: unknown, { ctx }: RunningJob): Promise<void> {
    for (let announced = BATCH; announced === BATCH;) {
      announced = await this.transactions.run(ctx, (manager) => this.announceNext(manager));
    }
  }

  private async announceNext(manager: EntityManager): Promise<number> {
    const keys = await manager.query<EndingKey[]>(claim(this.keys), [BATCH]);
    for (const { id, name, userId, organisationId, daysLeft, expires } of keys) {
      await this.notifications.record(manager, this.keys.notifications[`ends_in_${daysLeft}_days`], {
        organisationId,
        entity: { id, name },
        userId: null,
        aboutUserId: userId,
        params: { expires },
      });
    }
    return keys.length;
  }
}
