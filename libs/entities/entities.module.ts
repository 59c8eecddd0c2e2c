import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegisteredEntityDeletion } from './entities.deletion';
import { ENTITY_REGISTRATION_CONTROLLERS } from './entity-registration.controllers';
import { EntityRegistrationService } from './entity-registration.service';
import { RegisteredEntity } from './registered-entity.entity';
import { EntityRegisterShapes } from './shapes/entity-register.shapes';

/** The register, which both variants keep. */
@Module({
  imports: [TypeOrmModule.forFeature([RegisteredEntity])],
  controllers: ENTITY_REGISTRATION_CONTROLLERS,
  providers: [RegisteredEntityDeletion, EntityRegistrationService, EntityRegisterShapes],
  exports: [TypeOrmModule],
})
export class EntitiesModule {}
