import { Injectable, Module } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { Throttler } from './throttler';

@Injectable()
export class ThrottlingCleanUp extends CleanUp {
  readonly statements = [
    // Skips locked counts: to wait for them out of order could be a deadlock.
    `DELETE FROM attempts WHERE bucket IN (
       SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  ];
}

/** Limits on guesses. */
@Module({ providers: [Throttler, ThrottlingCleanUp], exports: [Throttler] })
export class ThrottlingModule {}
