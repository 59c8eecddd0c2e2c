import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import { Answers } from '@app/core/wire/declarations';
import type { Page } from '@app/core/paging/page';
import type { EntityOfOrganisation } from '../entity.values';
import { EntitiesService } from './entities.service';
import { EntitiesShapes } from './entities.shapes';

@ApiTags('entities')
@Controller('organisations/:organisationId/entities')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Get()
  @Access('entities.overview')
  @Answers(200, EntitiesShapes, 'overview')
  overview(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
  ): Promise<Page<EntityOfOrganisation>> {
    return this.entities.overview(caller, organisationId);
  }
}
