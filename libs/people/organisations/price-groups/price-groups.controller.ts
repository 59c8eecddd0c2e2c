import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { NoContent, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { ETag } from '@app/platform/http/response-writer';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { PriceGroup } from '../organisation.entity';
import {
  defaultPriceGroupNotDeletable,
  type PriceGroupInput,
  priceGroupInUse,
  PriceGroupsService,
  tooManyPriceGroups,
} from './price-groups.service';
import { PriceGroupsShapes } from './price-groups.shapes';

@Tag('reference data')
@Controller('pricegroups')
@PathRecords({ pricegroupId: { name: 'Price group', table: 'price_groups' } })
export class PriceGroupsController {
  constructor(private readonly priceGroups: PriceGroupsService) {}

  @Get()
  @Access('pricegroups.list', 'List the price groups')
  @ETag({ isTranslated: false })
  @RespondsWith(200, PriceGroupsShapes, 'list')
  list(): Promise<PriceGroup[]> {
    return this.priceGroups.list();
  }

  @Post()
  @Access('pricegroups.create', 'Create a price group')
  @Refuses(tooManyPriceGroups())
  @RespondsWith(201, PriceGroupsShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @RequestBody(PriceGroupsShapes, 'create') input: PriceGroupInput,
  ): Promise<PriceGroup> {
    return this.priceGroups.create(caller, input);
  }

  @Put(':pricegroupId')
  @Access('pricegroups.update', 'Rename a price group', 'The one named default keeps its name.')
  @NoContent()
  rename(
    @Ctx() caller: Caller,
    @PathId('pricegroupId') id: number,
    @RequestBody(PriceGroupsShapes, 'update') input: PriceGroupInput,
  ): Promise<void> {
    return this.priceGroups.rename(caller, id, input);
  }

  @Delete(':pricegroupId')
  @Access('pricegroups.delete', 'Delete a price group that no organisation has')
  @Refuses(priceGroupInUse(), defaultPriceGroupNotDeletable())
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('pricegroupId') id: number): Promise<void> {
    return this.priceGroups.delete(caller, id);
  }
}
