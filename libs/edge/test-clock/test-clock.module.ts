import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { TestClockController } from './test-clock.controller';
import { TEST_CLOCK_CONSTRAINT_ERRORS, TestClockService } from './test-clock.service';
import { TestClockShapes } from './test-clock.shapes';

export const TEST_CLOCK_RULES: TableRules = {
  table: 'test_clock',
  constraintErrors: TEST_CLOCK_CONSTRAINT_ERRORS,
  audited: { kind: 'testClock', shown: 'moved_seconds', hidden: 'id', isOfTests: true },
};

/** The route that moves the clock, only with `TEST_CLOCK=on`. */
@Module({
  controllers: [TestClockController],
  providers: [TestClockService, TestClockShapes],
})
export class TestClockModule {}
