import { Injectable, Module } from '@nestjs/common';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { LifecycleModule } from '@app/lifecycle/user-events';
import { BillingController } from './billing/billing.controller';
import { BillingService } from './billing/billing.service';
import { BillingShapes } from './billing/billing.shapes';
import { PriceGroupsController } from './price-groups/price-groups.controller';
import { PRICE_GROUP_CONSTRAINT_ERRORS, PriceGroupsService } from './price-groups/price-groups.service';
import { PriceGroupsShapes } from './price-groups/price-groups.shapes';
import { AdminOnlyFields } from './organisation-field-rights';
import { Organisation, OrganisationType, PriceGroup } from './organisation.entity';
import { OrganisationsController } from './organisations.controller';
import { TreeChanges } from './tree-changes';
import { OrganisationsService } from './organisations.service';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisation.types';

@Injectable()
export class OrganisationDeletion extends DeletionHandler {
  readonly table = 'organisations';
  readonly withUsers = stays('an organisation outlives its users');
  readonly withOrganisation = stays(
    'the row itself is soft-deleted and keeps its id; nothing lies beneath it',
  );
}

@Injectable()
export class OrganisationClosureDeletion extends DeletionHandler {
  readonly table = 'organisation_closure';
  readonly withUsers = stays('it refers to no users');
  readonly withOrganisation = stays('the tree triggers delete the rows');
}

@Module({
  imports: [
    TypeOrmModule.forFeature([Organisation, OrganisationType, PriceGroup]),
    ConstraintErrorsModule.forFeature({
      ...ORGANISATION_CONSTRAINT_ERRORS,
      ...PRICE_GROUP_CONSTRAINT_ERRORS,
    }),
    LifecycleModule,
  ],
  controllers: [OrganisationsController, BillingController, PriceGroupsController],
  providers: [
    AdminOnlyFields,
    BillingService,
    BillingShapes,
    OrganisationClosureDeletion,
    OrganisationDeletion,
    OrganisationsService,
    PriceGroupsService,
    PriceGroupsShapes,
    TreeChanges,
  ],
  exports: [OrganisationsService],
})
export class OrganisationsModule {}
