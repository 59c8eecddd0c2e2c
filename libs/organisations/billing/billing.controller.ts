import { Controller, Get, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId } from '@app/core/access/access.decorators';
import { NoContent, RequestBody, RespondsWith } from '@app/core/wire/wire.decorators';
import { BillingService } from './billing.service';
import { BillingShapes } from './billing.shapes';
import type { Billing, BillingChanges } from './billing.types';

@ApiTags('organisations')
@Controller('organisations/:organisationId/billing')
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Get()
  @Access('billing.read')
  @RespondsWith(200, BillingShapes, 'single')
  read(@PathId('organisationId') organisationId: number): Promise<Billing> {
    return this.billing.read(organisationId);
  }

  @Put()
  @Access('billing.update')
  @NoContent()
  replace(
    @PathId('organisationId') organisationId: number,
    @RequestBody(BillingShapes, 'update') changes: BillingChanges,
  ): Promise<void> {
    return this.billing.update(organisationId, changes);
  }

  @Patch()
  @Access('billing.update')
  @NoContent()
  update(
    @PathId('organisationId') organisationId: number,
    @RequestBody(BillingShapes, 'update') changes: BillingChanges,
  ): Promise<void> {
    return this.billing.update(organisationId, changes);
  }
}
