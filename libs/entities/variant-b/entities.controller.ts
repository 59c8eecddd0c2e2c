import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { RespondsWith } from '@app/core/wire/wire.decorators';
import type { Page } from '@app/core/paging/page';
import type { EntityOfOrganisation } from './entity-of-organisation.types';
import { EntitiesService } from './entities.service';
import { EntitiesShapes } from './entities.shapes';

@ApiTags('entities')
@Controller('organisations/:organisationId/entities')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Get()
  @Access('entities.overview')
  @RespondsWith(200, EntitiesShapes, 'overview')
  overview(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
  ): Promise<Page<EntityOfOrganisation>> {
    return this.entities.overview(caller, organisationId);
  }
}
