import { Injectable, Module } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { APP_GUARD } from '@nestjs/core';
import { PublicCalls } from './public-calls';
import { RateLimitGuard } from './rate-limit.guard';
import { Throttler } from './throttler';

@Injectable()
export class ThrottlingCleanUp extends CleanUp {
  readonly statements = [
    // Skips locked counts: to wait for them out of order could be a deadlock.
    `DELETE FROM attempts WHERE bucket IN (
       SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  ];
}

/** Limits on guesses and calls. */
@Module({
  providers: [PublicCalls, Throttler, ThrottlingCleanUp, { provide: APP_GUARD, useClass: RateLimitGuard }],
  exports: [PublicCalls, Throttler],
})
export class ThrottlingModule {}
