import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller';
import { EntitiesService } from './entities.service';
import { ENTITY_REGISTRATION_CONTROLLERS } from './entity-registration.controllers';
import { EntityRegistrationService } from './entity-registration.service';
import { EntitiesShapes } from './entities.shapes';

/** The routes of the entity overview and of the register, which exist in Variant B only. */
@Module({
  controllers: [EntitiesController, ...ENTITY_REGISTRATION_CONTROLLERS],
  providers: [EntitiesService, EntityRegistrationService, EntitiesShapes],
})
export class EntityRoutesModule {}
