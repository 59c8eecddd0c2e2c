import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { Throttler } from './throttler';

export const ATTEMPT_RULES: TableRules = {
  table: 'attempts',
  cleanUp: () => [
    // Skips locked counts, because waiting for them in another order could cause a deadlock.
    `DELETE FROM attempts WHERE bucket IN (
       SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  ],
};

/** Limits on attempts. */
@Module({ providers: [Throttler], exports: [Throttler] })
export class ThrottlingModule {}
