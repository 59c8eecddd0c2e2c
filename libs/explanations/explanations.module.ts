import { Module } from '@nestjs/common';
import { ExplanationsController } from './explanations.controller';
import { ExplanationsService } from './explanations.service';
import { ExplanationsShapes } from './shapes/explanations.shapes';
import { ToldRoutes } from './told-route';

/** Why a request is let in or refused: the guard's evaluation, told instead of enforced. */
@Module({
  controllers: [ExplanationsController],
  providers: [ExplanationsService, ExplanationsShapes, ToldRoutes],
})
export class ExplanationsModule {}
