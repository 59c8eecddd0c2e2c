import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { Revalidated } from '@app/core/wire/revalidated';
import { NoContent, RequestBody, RespondsWith } from '@app/core/wire/wire.decorators';
import type { PriceGroup } from '../price-group.entity';
import { DefaultPriceGroupStays, PriceGroupInUse, tooManyPriceGroups } from './price-groups.errors';
import { PriceGroupsService, type PriceGroupInput } from './price-groups.service';
import { PriceGroupsShapes } from './price-groups.shapes';

@ApiTags('reference data')
@Controller('pricegroups')
@PathRecords({ pricegroupId: { name: 'Price group', table: 'price_groups' } })
export class PriceGroupsController {
  constructor(private readonly priceGroups: PriceGroupsService) {}

  @Get()
  @Access('pricegroups.list')
  @Revalidated({ isTranslated: false })
  @RespondsWith(200, PriceGroupsShapes, 'list')
  list(): Promise<PriceGroup[]> {
    return this.priceGroups.list();
  }

  @Post()
  @Access('pricegroups.create')
  @Refuses(tooManyPriceGroups())
  @RespondsWith(201, PriceGroupsShapes, 'single')
  create(@RequestBody(PriceGroupsShapes, 'create') input: PriceGroupInput): Promise<PriceGroup> {
    return this.priceGroups.create(input);
  }

  @Put(':pricegroupId')
  @Access('pricegroups.update')
  @NoContent()
  rename(
    @PathId('pricegroupId') id: number,
    @RequestBody(PriceGroupsShapes, 'update') input: PriceGroupInput,
  ): Promise<void> {
    return this.priceGroups.rename(id, input);
  }

  @Delete(':pricegroupId')
  @Access('pricegroups.delete')
  @Refuses(new PriceGroupInUse(), new DefaultPriceGroupStays())
  @NoContent()
  delete(@PathId('pricegroupId') id: number): Promise<void> {
    return this.priceGroups.delete(id);
  }
}
