import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import type { DeliveryDetails, WebhookDetails } from './webhook.types';

const secondsOf = (moment: string): string => `floor(extract(epoch FROM ${moment}))::float8`;

export const WEBHOOK_COLUMNS = columnsOf<WebhookDetails>('webhooks w')({
  id: { read: 'w.id', order: true },
  url: { read: 'w.url', order: true },
  events: { read: 'w.events', order: false },
  beneath: { read: 'w.reaches_beneath', order: true },
  enabled: { read: 'w.enabled', order: true },
  createdAt: { read: secondsOf('w.created_at'), order: 'w.created_at' },
  lastError: { read: 'w.last_error', order: true },
});

/** The webhook $2 of the organisation $1. */
export const WEBHOOK_BY_ID = WEBHOOK_COLUMNS.select('w.organisation_id = $1 AND w.id = $2');

/** A page of the webhooks of an organisation, with their total. */
export const webhookPage = (
  organisationId: number,
  request: ListRequest<WebhookOrder>,
): PageQuery<WebhookDetails> =>
  new ListQuery(WEBHOOK_COLUMNS, request)
    .with('w.organisation_id', organisationId)
    .filteredBy('lower(w.url)')
    .withTotal();

export const DELIVERY_COLUMNS = columnsOf<DeliveryDetails>('webhook_deliveries d')({
  id: { read: 'd.id', order: true },
  event: { read: 'd.event', order: true },
  createdAt: { read: secondsOf('d.created_at'), order: 'd.created_at' },
  tries: { read: 'd.tries', order: true },
  status: { read: 'd.status', order: true },
  error: { read: 'd.error', order: true },
  duration: { read: 'd.duration', order: true },
  nextTryAt: { read: secondsOf('d.next_try_at'), order: 'd.next_try_at' },
});

/** How long a delivery is kept that waits no more (decisions.md 12.7). */
export const DELIVERY_RETENTION = '7 days';

/** A page of the deliveries of a webhook. */
export const deliveryPage = (
  webhookId: number,
  request: ListRequest<DeliveryOrder>,
): PageQuery<DeliveryDetails> =>
  new ListQuery(DELIVERY_COLUMNS, request)
    .with('d.webhook_id', webhookId)
    .where(`(d.created_at > now() - interval '${DELIVERY_RETENTION}' OR d.next_try_at IS NOT NULL)`)
    .filteredBy('d.event')
    .page();

/** The orders of lists of webhooks. */
export type WebhookOrder = OrderOf<typeof WEBHOOK_COLUMNS>;

/** The orders of lists of deliveries. */
export type DeliveryOrder = OrderOf<typeof DELIVERY_COLUMNS>;
