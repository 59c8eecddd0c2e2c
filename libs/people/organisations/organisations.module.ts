import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LifecycleModule } from '@app/lifecycle/lifecycle.module';
import type { TableRules } from '@app/lifecycle/table-rules';
import { BillingController } from './billing/billing.controller';
import { BillingService } from './billing/billing.service';
import { BillingShapes } from './billing/billing.shapes';
import { Organisation, OrganisationType, PriceGroup } from './organisation.entity';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisation.types';
import { AdminOnlyFields } from './organisation-field-rights';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { PriceGroupsController } from './price-groups/price-groups.controller';
import { PRICE_GROUP_CONSTRAINT_ERRORS, PriceGroupsService } from './price-groups/price-groups.service';
import { PriceGroupsShapes } from './price-groups/price-groups.shapes';
import { TreeChanges } from './tree-changes';

export const ORGANISATION_RULES: TableRules = {
  table: 'organisations',
  constraintErrors: { ...ORGANISATION_CONSTRAINT_ERRORS, ...PRICE_GROUP_CONSTRAINT_ERRORS },
  withUsers: 'an organisation outlives its users',
  withOrganisation: 'the row itself is soft-deleted and keeps its id; nothing lies beneath it',
};

export const ORGANISATION_CLOSURE_RULES: TableRules = {
  table: 'organisation_closure',
  withUsers: 'it refers to no users',
  withOrganisation: 'the tree triggers delete the rows',
};

@Module({
  imports: [TypeOrmModule.forFeature([Organisation, OrganisationType, PriceGroup]), LifecycleModule],
  controllers: [OrganisationsController, BillingController, PriceGroupsController],
  providers: [
    AdminOnlyFields,
    BillingService,
    BillingShapes,
    OrganisationsService,
    PriceGroupsService,
    PriceGroupsShapes,
    TreeChanges,
  ],
  exports: [OrganisationsService],
})
export class OrganisationsModule {}
