import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import {
  DELIVERY_COLUMNS,
  type DeliveryDetails,
  WEBHOOK_COLUMNS,
  type WebhookDetails,
  type WebhookWithSecret,
} from '../webhook.columns';
import { createWebhookShape, rotateWebhookShape, updateWebhookShape, WEBHOOK } from './webhook.dto';

/** A webhook. */
export class WebhookResponse {
  @ResponseField(WEBHOOK.id) id!: number;
  @ResponseField(WEBHOOK.url) url!: string;
  @ResponseField(WEBHOOK.events) events!: string[];
  @ResponseField(WEBHOOK.beneath) beneath!: boolean;
  @ResponseField(WEBHOOK.enabled) enabled!: boolean;
  @ResponseField({ description: 'When it was made, in Unix seconds', example: '1735689600' })
  dtCreated!: string;

  @ResponseField({ description: 'Why the last try failed; empty after a success', example: 'Answer 503' })
  lastError!: string;
}

/** A webhook with a new secret. No other response contains the secret. */
export class WebhookWithSecretResponse extends WebhookResponse {
  @ResponseField({
    description:
      'The key of the signatures, `whsec_` and 32 bytes in base64, as Standard Webhooks has it; answered this once',
  })
  secret!: string;
}

/** A message to the receiver. */
export class DeliveryResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the delivery', example: 81 }) id!: number;
  @ResponseField({ description: 'What it tells', example: 'users.updated' }) event!: string;

  @ResponseField({ description: 'When it began to wait, in Unix seconds', example: '1735689600' })
  dtCreated!: string;

  @ResponseField({ type: 'integer', description: 'How often it was tried', example: 1 }) tries!: number;

  @ResponseField({
    type: 'integer',
    description: 'HTTP status of the last answer; 0 without one',
    example: 503,
  })
  status!: number;

  @ResponseField({ description: 'Why the last try failed; empty if it did not', example: 'Answer 503' })
  error!: string;

  @ResponseField({ type: 'integer', description: 'Milliseconds of the last try', example: 120 })
  duration!: number;

  @ResponseField({
    description: 'When it is tried next, in Unix seconds; empty: never',
    example: '1735689605',
  })
  dtNextTry!: string;
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
  readonly create = createWebhookShape;
  readonly update = updateWebhookShape;
  readonly rotate = rotateWebhookShape;
  readonly single = singleOf('webhook', WebhookResponse, toWebhookResponse, {
    description: 'The webhook, without its secret',
  });
  /** Response of POST and `POST …/rotate`. */
  readonly created = singleOf(
    'webhook',
    WebhookWithSecretResponse,
    (webhook: WebhookWithSecret) => ({ ...toWebhookResponse(webhook), secret: webhook.secret }),
    { as: 'CreatedWebhookResponse', description: 'The webhook with its new secret' },
  );
  readonly list = listOf('webhooks', WEBHOOK_COLUMNS, WebhookResponse, toWebhookResponse, {
    orders: { dtCreated: 'createdAt' },
    total: 'How many webhooks the whole list has, all pages together',
  });
  /** Response of `GET …/deliveries`. */
  readonly deliveries = listOf('deliveries', DELIVERY_COLUMNS, DeliveryResponse, toDeliveryResponse, {
    orders: { dtCreated: 'createdAt', dtNextTry: 'nextTryAt' },
    description: 'The deliveries of the page: of the last 7 days, and what waits',
  });
}
