import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller';
import { EntitiesService } from './entities.service';
import { EntitiesShapes } from './entities.shapes';

/** The entity overview, which exists in Variant B only. */
@Module({ controllers: [EntitiesController], providers: [EntitiesService, EntitiesShapes] })
export class EntityRoutesModule {}
