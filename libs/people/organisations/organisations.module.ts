import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LifecycleModule } from '@app/lifecycle/lifecycle.module';
import { CustomersModule } from '@app/security/customers/customers.module';
import { BillingController } from './billing/billing.controller';
import { BillingService } from './billing/billing.service';
import { BillingShapes } from './billing/billing.shapes';
import { Organisation, OrganisationType, PriceGroup } from './organisation.entity';
import { OrganisationBounds } from './organisation-bounds';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { PriceGroupsController } from './price-groups/price-groups.controller';
import { PriceGroupsService } from './price-groups/price-groups.service';
import { PriceGroupsShapes } from './price-groups/price-groups.shapes';
import { TreeChanges } from './tree-changes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Organisation, OrganisationType, PriceGroup]),
    LifecycleModule,
    CustomersModule,
  ],
  controllers: [OrganisationsController, BillingController, PriceGroupsController],
  providers: [
    BillingService,
    BillingShapes,
    OrganisationBounds,
    OrganisationsService,
    PriceGroupsService,
    PriceGroupsShapes,
    TreeChanges,
  ],
  exports: [OrganisationsService],
})
export class OrganisationsModule {}
