import { Module } from '@nestjs/common';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { TestClockShapes } from './shapes/test-clock.shapes';
import { TestClockController } from './test-clock.controller';
import { TEST_CLOCK_CONSTRAINT_ERRORS } from './test-clock.errors';
import { TestClockService } from './test-clock.service';

/** The route that moves the clock: part of a process with `TEST_CLOCK=on` alone. */
@Module({
  imports: [ConstraintErrorsModule.forFeature(TEST_CLOCK_CONSTRAINT_ERRORS)],
  controllers: [TestClockController],
  providers: [TestClockService, TestClockShapes],
})
export class TestClockModule {}
