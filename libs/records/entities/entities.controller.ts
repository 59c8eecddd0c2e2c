import { Controller, Get } from '@nestjs/common';
import { RespondsWith } from '@app/platform/dto/wire.decorators';
import type { Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { EntitiesService, type EntityOfOrganisation } from './entities.service';
import { EntitiesShapes } from './entities.shapes';

@Controller('organisations/:organisationId/entities')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Get()
  @Access('entities.overview', 'List the entities that an organisation may access')
  @RespondsWith(200, EntitiesShapes, 'overview')
  overview(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
  ): Promise<Page<EntityOfOrganisation>> {
    return this.entities.overview(caller, organisationId);
  }
}
