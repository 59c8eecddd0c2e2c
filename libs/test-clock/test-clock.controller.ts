import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '@app/core/access/access.decorators';
import { NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { TestClockShapes } from './shapes/test-clock.shapes';
import { TestClockService } from './test-clock.service';

@ApiTags('test clock')
@Controller('testClock')
export class TestClockController {
  constructor(private readonly testClock: TestClockService) {}

  @Post()
  @Access('testClock.move')
  @NoContent()
  move(@RequestBody(TestClockShapes, 'move') { seconds }: { readonly seconds: number }): Promise<void> {
    return this.testClock.move(seconds);
  }
}
