import { Controller, Module, Post } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { IntegerField } from '@app/platform/dto/field.decorators';
import { createShape } from '@app/platform/dto/shapes';
import { NoContent, RequestBody, Tag } from '@app/platform/dto/wire.decorators';
import { Access, type Caller, Ctx } from '@app/security/access/access.decorators';
import { TEST_CLOCK_CONSTRAINT_ERRORS, TestClockService } from './test-clock.service';

/** Ten years, the longest lifetime in any setting. */
const MAX_SECONDS = 3650 * 86_400;

/** Body of POST. */
class MoveTestClockDto {
  @IntegerField({ min: 1, max: MAX_SECONDS, required: true, description: 'How much time is to pass' })
  seconds!: number;
}

const moveTestClockShape = createShape(MoveTestClockDto, ({ seconds }): { seconds: number } => ({ seconds }));

export class TestClockShapes {
  readonly move = moveTestClockShape;
}

@Tag('test clock')
@Controller('testClock')
export class TestClockController {
  constructor(private readonly testClock: TestClockService) {}

  @Post()
  @Access('testClock.move', 'Let time pass in a database of tests')
  @NoContent()
  move(
    @Ctx() caller: Caller,
    @RequestBody(TestClockShapes, 'move') { seconds }: { readonly seconds: number },
  ): Promise<void> {
    return this.testClock.move(caller, seconds);
  }
}

export const TEST_CLOCK_RULES: TableRules = {
  table: 'test_clock',
  constraintErrors: TEST_CLOCK_CONSTRAINT_ERRORS,
};

/** The route that moves the clock, only with `TEST_CLOCK=on`. */
@Module({
  controllers: [TestClockController],
  providers: [TestClockService, TestClockShapes],
})
export class TestClockModule {}
