import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntityRegistrationService, RegisteredEntityDeletion } from './entity-registration.service';
import { ENTITY_REGISTRATION_CONTROLLERS } from './entity-registration.controllers';
import { RegisteredEntity } from './registered-entity.entity';
import { EntityRegisterShapes } from './shapes/entity-register.shapes';

/** The register of entities, in both variants. */
@Module({
  imports: [TypeOrmModule.forFeature([RegisteredEntity])],
  controllers: ENTITY_REGISTRATION_CONTROLLERS,
  providers: [RegisteredEntityDeletion, EntityRegistrationService, EntityRegisterShapes],
  exports: [TypeOrmModule],
})
export class EntitiesModule {}
