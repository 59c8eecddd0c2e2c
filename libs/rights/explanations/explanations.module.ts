import { Module } from '@nestjs/common';
import { ExplanationsController } from './explanations.controller';
import { ExplanationsService } from './explanations.service';
import { ExplanationsShapes } from './explanations.shapes';
import { RouteResolver } from './resolve-route';

/** Runs the guard's evaluation and reports its result instead of enforcing it. */
@Module({
  controllers: [ExplanationsController],
  providers: [ExplanationsService, ExplanationsShapes, RouteResolver],
})
export class ExplanationsModule {}
