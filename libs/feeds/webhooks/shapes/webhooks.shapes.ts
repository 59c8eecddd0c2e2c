import { responseShape, Shown } from '@app/platform/dto/shapes';
import { orderBy } from '@app/platform/lists/columns';
import {
  DELIVERY_COLUMNS,
  type DeliveryDetails,
  type DeliveryOrder,
  WEBHOOK_COLUMNS,
  type WebhookDetails,
  type WebhookOrder,
  type WebhookWithSecret,
} from '../webhook.columns';
import { createWebhookShape, updateWebhookShape, WEBHOOK } from './webhook.dto';
import { listShape } from '@app/platform/lists/list-request';

/** A webhook. */
export class WebhookResponse {
  @Shown(WEBHOOK.id) id!: number;
  @Shown(WEBHOOK.url) url!: string;
  @Shown(WEBHOOK.events) events!: string[];
  @Shown(WEBHOOK.beneath) beneath!: boolean;
  @Shown(WEBHOOK.enabled) enabled!: boolean;
  @Shown({ description: 'When it was made, in Unix seconds', example: '1735689600' }) dtCreated!: string;

  @Shown({ description: 'Why the last try failed; empty after a success', example: 'Answer 503' })
  lastError!: string;
}

/** Response of the list. */
export class WebhookListResponse {
  @Shown({ type: 'integer', description: 'How many webhooks the whole list has, all pages together' })
  total!: number;

  @Shown({ type: [WebhookResponse], description: 'The webhooks of the page' }) webhooks!: WebhookResponse[];
}

/** Response of the single read. */
export class SingleWebhookResponse {
  @Shown({ type: WebhookResponse, description: 'The webhook, without its secret' })
  webhook!: WebhookResponse;
}

/** A webhook with a new secret, the only time that it is shown. */
export class WebhookWithSecretResponse extends WebhookResponse {
  @Shown({
    description:
      'The key of the signatures, `whsec_` and 32 bytes in base64, as Standard Webhooks has it; answered this once',
  })
  secret!: string;
}

/** Response of POST and of a rotation. */
export class CreatedWebhookResponse {
  @Shown({ type: WebhookWithSecretResponse, description: 'The webhook with its new secret' })
  webhook!: WebhookWithSecretResponse;
}

/** A message to the receiver. */
export class DeliveryResponse {
  @Shown({ type: 'integer', description: 'Identifier of the delivery', example: 81 }) id!: number;
  @Shown({ description: 'What it tells', example: 'users.updated' }) event!: string;

  @Shown({ description: 'When it began to wait, in Unix seconds', example: '1735689600' })
  dtCreated!: string;

  @Shown({ type: 'integer', description: 'How often it was tried', example: 1 }) tries!: number;

  @Shown({ type: 'integer', description: 'HTTP status of the last answer; 0 without one', example: 503 })
  status!: number;

  @Shown({ description: 'Why the last try failed; empty if it did not', example: 'Answer 503' })
  error!: string;

  @Shown({ type: 'integer', description: 'Milliseconds of the last try', example: 120 }) duration!: number;

  @Shown({ description: 'When it is tried next, in Unix seconds; empty: never', example: '1735689605' })
  dtNextTry!: string;
}

/** Response of the list of deliveries. */
export class DeliveryListResponse {
  @Shown({
    type: [DeliveryResponse],
    description: 'The deliveries of the page: of the last 7 days, and what waits',
  })
  deliveries!: DeliveryResponse[];
}

const toWebhookResponse = (webhook: WebhookDetails): WebhookResponse => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  beneath: webhook.beneath,
  enabled: webhook.enabled,
  dtCreated: String(webhook.createdAt),
  lastError: webhook.lastError,
});

const toDeliveryResponse = (delivery: DeliveryDetails): DeliveryResponse => ({
  id: delivery.id,
  event: delivery.event,
  dtCreated: String(delivery.createdAt),
  tries: delivery.tries,
  status: delivery.status,
  error: delivery.error,
  duration: delivery.duration,
  dtNextTry: String(delivery.nextTryAt ?? ''),
});

/** The request and response shapes of webhooks, equal in both variants. */
export class WebhooksShapes {
  /** Body of POST. */
  readonly create = createWebhookShape;
  /** Body of PUT. */
  readonly update = updateWebhookShape;
  /** Response of the single read. */
  readonly single = responseShape(SingleWebhookResponse, (webhook: WebhookDetails) => ({
    webhook: toWebhookResponse(webhook),
  }));
  /** Response of POST and `POST …/rotate`. */
  readonly created = responseShape(CreatedWebhookResponse, (webhook: WebhookWithSecret) => ({
    webhook: { ...toWebhookResponse(webhook), secret: webhook.secret },
  }));
  /** Response of the list. */
  readonly list = listShape<WebhookDetails, WebhookListResponse, WebhookOrder>(
    WebhookListResponse,
    { orderBy: orderBy(WEBHOOK_COLUMNS, WebhookResponse, { dtCreated: 'createdAt' }), search: {} },
    (page) => ({ total: page.total ?? page.items.length, webhooks: page.items.map(toWebhookResponse) }),
  );
  /** Response of `GET …/deliveries`. */
  readonly deliveries = listShape<DeliveryDetails, DeliveryListResponse, DeliveryOrder>(
    DeliveryListResponse,
    {
      orderBy: orderBy(DELIVERY_COLUMNS, DeliveryResponse, {
        dtCreated: 'createdAt',
        dtNextTry: 'nextTryAt',
      }),
      search: {},
    },
    (page) => ({ deliveries: page.items.map(toDeliveryResponse) }),
  );
}
