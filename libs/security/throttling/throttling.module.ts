import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { Throttler } from './throttler';

export const ATTEMPT_RULES: TableRules = {
  table: 'attempts',
  cleanUp: [
    // Skips locked counts: to wait for them out of order could be a deadlock.
    `DELETE FROM attempts WHERE bucket IN (
       SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  ],
};

/** Limits on guesses. */
@Module({ providers: [Throttler], exports: [Throttler] })
export class ThrottlingModule {}
