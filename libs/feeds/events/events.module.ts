import { Module } from '@nestjs/common';
import { EventReader } from './event-reader';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';
import { EventsShapes } from './events.shapes';

/** The feed of events, which are made from the audit log. `libs/feeds/webhooks` sends the same events. */
@Module({
  controllers: [EventsController],
  providers: [EventReader, EventsService, EventsShapes],
  exports: [EventReader],
})
export class EventsModule {}
