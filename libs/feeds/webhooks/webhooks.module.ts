import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '@app/feeds/events/events.module';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { DeliveryBatches } from './delivery-batches';
import { DeliveryTurns } from './delivery-turns';
import { EventSweep } from './event-sweep';
import { NameLookup, ReceiverAddresses } from './receiver-addresses';
import { WebhooksShapes } from './shapes/webhooks.shapes';
import { Webhook, WebhookDelivery, WebhookPosition } from './webhook.entity';
import { WebhookHealth } from './webhook-health';
import { WebhookSender } from './webhook-sender';
import { WebhookTurn } from './webhook-turn';
import { WebhooksController } from './webhooks.controller';
import { WEBHOOK_NOTIFICATIONS } from './webhooks.notifications';
import { WebhooksService } from './webhooks.service';

/**
 * Receivers of events: their settings, and the messages to them. It needs the events by name, whose rows it
 * sends. Nothing needs it: the process stops its work among all `BackgroundWork`.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookDelivery, WebhookPosition]),
    EventsModule,
    NotificationsModule.forFeature(WEBHOOK_NOTIFICATIONS),
    UsersModule,
  ],
  controllers: [WebhooksController],
  providers: [
    DeliveryBatches,
    DeliveryTurns,
    EventSweep,
    NameLookup,
    ReceiverAddresses,
    WebhookHealth,
    WebhookSender,
    WebhooksService,
    WebhooksShapes,
    WebhookTurn,
  ],
})
export class WebhooksModule {}
