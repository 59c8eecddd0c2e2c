import { Controller, Delete, Get, Put } from '@nestjs/common';
import { NoContent, QueryParameter, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { BrandChanges, OwnedBrand } from './brand.types';
import { BRAND_VERSION, BrandsService } from './brands.service';
import { BrandsShapes, NEAREST } from './brands.shapes';

@Tag('brands')
@Controller('organisations/:organisationId/brand')
@Versioned(BRAND_VERSION)
export class BrandsController {
  constructor(private readonly brands: BrandsService) {}

  @Get()
  @Access(
    'brands.read',
    'Read the brand of an organisation',
    '404 without one; with `nearest=true` if mails to the organisation carry no brand.',
  )
  @RespondsWith(200, BrandsShapes, 'single')
  read(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @QueryParameter(NEAREST) nearest: boolean | undefined,
  ): Promise<OwnedBrand> {
    return nearest === true
      ? this.brands.readNearest(caller, organisationId)
      : this.brands.read(organisationId);
  }

  @Put()
  @Access(
    'brands.update',
    'Give an organisation a brand, or change it: what is absent stays',
    'For admins and service keys of the operator, because the mails leave from the address of ' +
      'the operator. Without a brand `name` is required. Null and an empty text clear a field. ' +
      'Mails that wait carry the brand of the moment when they are sent.',
  )
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(BrandsShapes, 'update') changes: BrandChanges,
  ): Promise<void> {
    return this.brands.update(caller, organisationId, changes);
  }

  @Delete()
  @Access('brands.delete', 'Take the brand of an organisation away')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('organisationId') organisationId: number): Promise<void> {
    return this.brands.delete(caller, organisationId);
  }
}
