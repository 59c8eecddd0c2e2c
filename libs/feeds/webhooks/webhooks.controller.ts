import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { Proven, StepUpProof } from '@app/security/passwords/step-up-proof';
import { WebhooksShapes } from './shapes/webhooks.shapes';
import type {
  DeliveryDetails,
  DeliveryOrder,
  WebhookDetails,
  WebhookOrder,
  WebhookWithSecret,
} from './webhook.columns';
import { type NewWebhook, tooManyWaiting, type WebhookInput } from './webhook.types';
import { WebhooksService } from './webhooks.service';

@Controller('organisations/:organisationId/webhooks')
@PathRecords({
  webhookId: { name: 'Webhook', table: 'webhooks', within: 'organisationId', tag: 'record.version' },
})
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @Access('webhooks.create', 'Create a webhook; its secret is shown this once')
  @Refuses(...PROOF_REFUSALS)
  @RespondsWith(201, WebhooksShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(WebhooksShapes, 'create') input: NewWebhook & Proven,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.create(caller, organisationId, input);
  }

  @Get()
  @Access('webhooks.list', 'List the webhooks of an organisation')
  @RespondsWith(200, WebhooksShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(WebhooksShapes, 'list') request: ListRequest<WebhookOrder>,
  ): Promise<Page<WebhookDetails>> {
    return this.webhooks.list(organisationId, request);
  }

  @Get(':webhookId')
  @Access('webhooks.read', 'Read a webhook')
  @RespondsWith(200, WebhooksShapes, 'single')
  read(
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
  ): Promise<WebhookDetails> {
    return this.webhooks.read({ organisationId, id });
  }

  @Put(':webhookId')
  @Access(
    'webhooks.update',
    'Change URL, events and reach of a webhook, or switch it on or off',
    'With STEP_UP it asks for the proof where somebody else, or more than before, is told.',
  )
  @Refuses(...PROOF_REFUSALS)
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
    @RequestBody(WebhooksShapes, 'update') input: WebhookInput & Proven,
  ): Promise<void> {
    return this.webhooks.update(caller, { organisationId, id }, input);
  }

  @Delete(':webhookId')
  @Access('webhooks.delete', 'Delete a webhook; what waits is not sent')
  @NoContent()
  delete(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
  ): Promise<void> {
    return this.webhooks.delete(caller, { organisationId, id });
  }

  @Post(':webhookId/rotate')
  @Access(
    'webhooks.rotate',
    'Give a webhook a new secret, which is shown this once; the old one signs too for 24 hours',
  )
  @Refuses(...PROOF_REFUSALS)
  @RespondsWith(201, WebhooksShapes, 'created')
  rotate(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
    @RequestBody(WebhooksShapes, 'rotate', { onlyWith: 'stepUp' }) proof: StepUpProof | undefined,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.rotate(caller, { organisationId, id }, proof);
  }

  @Post(':webhookId/test')
  @Access('webhooks.test', 'Send `webhook.test`, also where the webhook is switched off')
  @Refuses(tooManyWaiting())
  @NoContent()
  test(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
  ): Promise<void> {
    return this.webhooks.test(caller, { organisationId, id });
  }

  @Get(':webhookId/deliveries')
  @Access('webhooks.listDeliveries', 'List what was sent in the last 7 days, and what waits')
  @RespondsWith(200, WebhooksShapes, 'deliveries')
  listDeliveries(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') webhookId: number,
    @ListQuery(WebhooksShapes, 'deliveries') request: ListRequest<DeliveryOrder>,
  ): Promise<Page<DeliveryDetails>> {
    return this.webhooks.listDeliveries(caller, { organisationId, id: webhookId }, request);
  }

  @Post(':webhookId/deliveries/:deliveryId/resend')
  @PathRecords({
    deliveryId: {
      name: 'Delivery',
      table: 'webhook_deliveries',
      within: 'webhookId',
    },
  })
  @Access('webhooks.resend', 'Send a message again, with the same `webhook-id`')
  @Refuses(tooManyWaiting())
  @NoContent()
  resend(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('webhookId') id: number,
    @PathId('deliveryId') deliveryId: number,
  ): Promise<void> {
    return this.webhooks.resend(caller, { organisationId, id }, deliveryId);
  }
}
