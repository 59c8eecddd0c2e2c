import { readSettings } from '@app/config/env';
import { DeliveryTurns } from '@app/feeds/webhooks/delivery-turns';
import { EventSweep } from '@app/feeds/webhooks/event-sweep';
import { NameLookup, ReceiverAddresses } from '@app/feeds/webhooks/receiver-addresses';
import type { ReachableService, TestService } from '../service/service';

/** A webhook with one delivery, written straight to the database; nobody can read its secret. */
export async function makeWebhook(
  service: ReachableService,
  organisationId: number,
): Promise<{ webhookId: number; deliveryId: number }> {
  const [row] = await service.sql<{ webhookId: number; deliveryId: number }>`
    WITH webhook AS (
      INSERT INTO webhooks (organisation_id, url, events, enabled, encrypted_secret, made_after)
      VALUES (${organisationId}, 'https://receiver.example/', '{*}', false, 'encrypted', 0) RETURNING id)
    INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
    SELECT id, gen_random_uuid(), 'users.created', '{}', NULL FROM webhook RETURNING webhook_id AS "webhookId", id AS "deliveryId"`;
  return row as { webhookId: number; deliveryId: number };
}

/** Tells webhooks all that is new, and sends all that is due by then. */
export async function deliverWebhooks({ app }: TestService): Promise<void> {
  await app.get(EventSweep).run();
  await app.get(DeliveryTurns).ended();
}

/** Webhooks of every organisation reach receivers on this machine, as otherwise only the operator's do. */
class LocalReceivers extends ReceiverAddresses {
  protected override reachesNetworks(): boolean {
    return true;
  }
}

/**
 * For the overrides of a service whose customers have webhooks to receivers of the test.
 * @param names looks up the names of URLs
 */
export const localReceivers = (
  names: NameLookup = new NameLookup(),
): [typeof ReceiverAddresses, ReceiverAddresses] => [
  ReceiverAddresses,
  new LocalReceivers(readSettings({ WEBHOOK_NETWORKS: '127.0.0.0/8' }), names),
];
