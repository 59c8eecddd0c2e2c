import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { shownName } from './webhook.types';
import { endWaiting } from './webhooks.lifecycle';
import { WEBHOOK_NOTIFICATIONS } from './webhooks.notifications';

const MARK_SLOW = 'UPDATE webhooks SET is_slow = true WHERE id = $1 AND NOT is_slow';

const MARK_HEALTHY = `
  UPDATE webhooks SET last_error = '', failing_since = NULL, failed_tries = 0, is_slow = $2
  WHERE id = $1 AND (failed_tries > 0 OR last_error <> '' OR is_slow <> $2)`;

/** Hopeless: for 3 days, at least 10 tries were made, and none succeeded (rule events 35). */
const NOTE_FAILURE = `
  UPDATE webhooks SET last_error = $2, failing_since = coalesce(failing_since, now()), failed_tries = failed_tries + 1,
    is_slow = true
  WHERE id = $1
  RETURNING failed_tries >= 10 AND failing_since <= now() - interval '3 days' AS "isHopeless"`;

const SWITCH_OFF = `
  UPDATE webhooks SET enabled = false WHERE id = $1 AND enabled
  RETURNING organisation_id AS "organisationId", url`;

/** What the tries of a webhook say about its receiver, and the end of one that does not answer. */
@Injectable()
export class WebhookHealth {
  constructor(private readonly notifications: NotificationRecorder) {}

  async markSlow(manager: EntityManager, webhookId: number): Promise<void> {
    await manager.query(MARK_SLOW, [webhookId]);
  }

  /** After a success, which may have taken long. */
  async markHealthy(manager: EntityManager, webhookId: number, isSlow: boolean): Promise<void> {
    await manager.query(MARK_HEALTHY, [webhookId, isSlow]);
  }

  /** Locks the webhook. Returns whether no further try is worth it. */
  async noteFailure(manager: EntityManager, webhookId: number, error: string): Promise<boolean> {
    const [[webhook]] = await manager.query<[{ isHopeless: boolean }[], number]>(NOTE_FAILURE, [
      webhookId,
      error,
    ]);
    return webhook?.isHopeless === true;
  }

  /** Ends what waits, and tells the organisation why. */
  async switchOff(manager: EntityManager, webhookId: number, reason: string): Promise<void> {
    const [rows] = await manager.query<[{ organisationId: number; url: string }[], number]>(SWITCH_OFF, [
      webhookId,
    ]);
    await endWaiting(manager, [webhookId]);
    for (const { organisationId, url } of rows) {
      await this.notifications.record(manager, WEBHOOK_NOTIFICATIONS.switched_off, {
        organisationId,
        entity: { id: webhookId, name: shownName(url) },
        userId: null,
        params: { reason },
      });
    }
  }
}
