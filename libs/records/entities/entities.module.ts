import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { TableRules } from '@app/lifecycle/table-rules';
import { removeRecordsFromAllTeams } from '@app/people/teams/teams.lifecycle';
import { ENTITY_REGISTRATION_CONTROLLERS } from './entity-registration.controller';
import { EntityRegistrationService } from './entity-registration.service';
import { RegisteredEntity } from './registered-entity.entity';
import { EntityRegisterShapes } from './shapes/entity-register.shapes';

export const REGISTERED_ENTITY_RULES: TableRules = {
  table: 'entities',
  otherTexts: 'kind name domains',
  withUsers: 'it belongs to the organisation',
  // The record itself stays: another area of the panel manages it, and says by import where it goes.
  withOrganisation: removeRecordsFromAllTeams,
  audited: { kind: 'entities', shown: 'kind object_id name domains', hidden: 'id organisation_id' },
};

/** The register of entities, in both variants. */
@Module({
  imports: [TypeOrmModule.forFeature([RegisteredEntity])],
  controllers: ENTITY_REGISTRATION_CONTROLLERS,
  providers: [EntityRegistrationService, EntityRegisterShapes],
  exports: [TypeOrmModule],
})
export class EntitiesModule {}
