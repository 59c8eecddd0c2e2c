import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { DeletionModule } from '@app/core/deletion/deletion.module';
import { Organisation } from './organisation.entity';
import { OrganisationType } from './organisation-type.entity';
import { PriceGroup } from './price-group.entity';
import { OrganisationsController } from './organisations.controller';
import { OrganisationClosureDeletion, OrganisationDeletion } from './organisations.deletion';
import { TreeChanges } from './tree-changes';
import { OrganisationsService } from './organisations.service';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisations.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([Organisation, OrganisationType, PriceGroup]),
    ConstraintErrorsModule.forFeature(ORGANISATION_CONSTRAINT_ERRORS),
    DeletionModule,
  ],
  controllers: [OrganisationsController],
  providers: [OrganisationsService, TreeChanges, OrganisationClosureDeletion, OrganisationDeletion],
  exports: [OrganisationsService],
})
export class OrganisationsModule {}
