import { Controller, Post } from '@nestjs/common';
import { NoContent, RequestBody } from '@app/platform/dto/wire.decorators';
import { Access, Ctx } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { TestClockService } from './test-clock.service';
import { TestClockShapes } from './test-clock.shapes';

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
