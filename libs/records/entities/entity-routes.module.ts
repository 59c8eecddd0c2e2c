import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller';
import { EntitiesService } from './entities.service';
import { EntitiesShapes } from './entities.shapes';

/** The overview of the entities that an organisation may access. */
@Module({ controllers: [EntitiesController], providers: [EntitiesService, EntitiesShapes] })
export class EntityRoutesModule {}
