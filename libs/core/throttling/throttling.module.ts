import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimitGuard } from './rate-limit.guard';
import { Throttler } from './throttler';
import { ThrottlingCleanUp } from './throttling.clean-up';

/** Limits on guesses and calls. */
@Module({
  providers: [Throttler, ThrottlingCleanUp, { provide: APP_GUARD, useClass: RateLimitGuard }],
  exports: [Throttler],
})
export class ThrottlingModule {}
