import { Controller, Get, Patch, Put } from '@nestjs/common';
import { NoContent, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { type Billing, type BillingChanges, BillingService } from './billing.service';
import { BillingShapes } from './billing.shapes';

@Tag('organisations')
@Controller('organisations/:organisationId/billing')
@Versioned({ table: 'organisations', parameter: 'organisationId', tag: 'record.billing_version' })
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Get()
  @Access('billing.read', 'Read what billing keeps of an organisation')
  @RespondsWith(200, BillingShapes, 'single')
  read(@PathId('organisationId') organisationId: number): Promise<Billing> {
    return this.billing.read(organisationId);
  }

  @Put()
  @Access(
    'billing.update',
    'Change what billing keeps of an organisation: what is absent stays',
    'Changes what is present and keeps what is absent, with PUT and PATCH alike.',
  )
  @NoContent()
  replace(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(BillingShapes, 'update') changes: BillingChanges,
  ): Promise<void> {
    return this.billing.update(caller, organisationId, changes);
  }

  @Patch()
  @Access(
    'billing.update',
    'Change what billing keeps of an organisation, exactly as PUT does',
    'Changes what is present and keeps what is absent, with PUT and PATCH alike.',
  )
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(BillingShapes, 'update') changes: BillingChanges,
  ): Promise<void> {
    return this.billing.update(caller, organisationId, changes);
  }
}
