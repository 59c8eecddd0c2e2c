import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { Webhook, WebhookDelivery } from './webhook.entity';

export const WEBHOOK_COLUMNS = columnsOf(Webhook, 'w', {
  ordered: ['id', 'beneath', 'enabled'],
  codes: ['url', 'lastError'],
  shown: ['events'],
  seconds: ['createdAt'],
});

/** A webhook as its readers see it. */
export type WebhookDetails = RowOf<typeof WEBHOOK_COLUMNS>;

/** A webhook with its new secret: `whsec_` and the key in base64. */
export type WebhookWithSecret = WebhookDetails & { readonly secret: string };

export type WebhookOrder = OrderOf<typeof WEBHOOK_COLUMNS>;

/** The webhook $2 of the organisation $1. */
export const WEBHOOK_BY_ID = WEBHOOK_COLUMNS.select('w.organisation_id = $1 AND w.id = $2');

/** A page of the webhooks of an organisation, with their total. */
export const webhookPage = (organisationId: number, request: ListRequest<WebhookOrder>) =>
  new ListQuery(WEBHOOK_COLUMNS, request)
    .with('w.organisation_id', organisationId)
    .filteredBy('w.url')
    .withTotal();

export const DELIVERY_COLUMNS = columnsOf(WebhookDelivery, 'd', {
  ordered: ['id', 'tries', 'status', 'duration'],
  codes: ['event', 'error'],
  seconds: ['createdAt', 'nextTryAt'],
});

/** A message to a receiver. */
export type DeliveryDetails = RowOf<typeof DELIVERY_COLUMNS>;

export type DeliveryOrder = OrderOf<typeof DELIVERY_COLUMNS>;

/** How long a finished delivery is kept (rule events 40). */
export const DELIVERY_RETENTION = '7 days';

/** The organisation of the event that a delivery tells. */
const ABOUT_ORGANISATION = `(d.body::json #>> '{data,organisationId}')::integer`;

/** A page of the deliveries of a webhook, of all or of those that tell of one organisation. */
export const deliveryPage = (
  webhookId: number,
  organisationId: number | undefined,
  request: ListRequest<DeliveryOrder>,
) =>
  new ListQuery(DELIVERY_COLUMNS, request)
    .with('d.webhook_id', webhookId)
    .with(ABOUT_ORGANISATION, organisationId)
    .where(`(d.created_at > now() - interval '${DELIVERY_RETENTION}' OR d.next_try_at IS NOT NULL)`)
    .filteredBy('d.event')
    .page();
