import { Controller, Get } from '@nestjs/common';
import { QueryParameter, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { FeedPage } from './event.types';
import { EventsService } from './events.service';
import { AFTER, BENEATH, EventsShapes, LIMIT } from './events.shapes';

@Controller('organisations/:organisationId/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Access(
    'events.list',
    'List what changed in an organisation, oldest first',
    'For programs: `next` of each page goes into `after` of the next request, at the end too. No ' +
      'event is passed over because its transaction committed late. A page costs the same however ' +
      'long the log is.',
  )
  @RespondsWith(200, EventsShapes, 'feed')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @QueryParameter(AFTER) after: number | undefined,
    @QueryParameter(LIMIT) limit: number | undefined,
    @QueryParameter(BENEATH) beneath: boolean | undefined,
  ): Promise<FeedPage> {
    return this.events.list(caller, organisationId, { after, limit, beneath });
  }
}
