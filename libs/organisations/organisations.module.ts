import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { DeletionModule } from '@app/core/deletion/deletion.module';
import { BillingController } from './billing/billing.controller';
import { BillingService } from './billing/billing.service';
import { BillingShapes } from './billing/billing.shapes';
import { PriceGroupsController } from './price-groups/price-groups.controller';
import { PRICE_GROUP_CONSTRAINT_ERRORS } from './price-groups/price-groups.errors';
import { PriceGroupsService } from './price-groups/price-groups.service';
import { PriceGroupsShapes } from './price-groups/price-groups.shapes';
import { AdminOnlyFields } from './admin-only-fields';
import { Organisation } from './organisation.entity';
import { OrganisationType } from './organisation-type.entity';
import { PriceGroup } from './price-group.entity';
import { OrganisationsController } from './organisations.controller';
import { OrganisationClosureDeletion, OrganisationDeletion } from './organisations.deletion';
import { OrganisationUsers } from './organisation-users';
import { SecondFactorDemands } from './second-factor-demand';
import { TreeChanges } from './tree-changes';
import { OrganisationsService } from './organisations.service';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisations.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([Organisation, OrganisationType, PriceGroup]),
    ConstraintErrorsModule.forFeature({
      ...ORGANISATION_CONSTRAINT_ERRORS,
      ...PRICE_GROUP_CONSTRAINT_ERRORS,
    }),
    DeletionModule,
    DiscoveryModule,
  ],
  controllers: [OrganisationsController, BillingController, PriceGroupsController],
  providers: [
    AdminOnlyFields,
    BillingService,
    BillingShapes,
    OrganisationClosureDeletion,
    OrganisationDeletion,
    OrganisationUsers,
    OrganisationsService,
    PriceGroupsService,
    PriceGroupsShapes,
    SecondFactorDemands,
    TreeChanges,
  ],
  exports: [OrganisationsService],
})
export class OrganisationsModule {}
