import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { MetricsModule } from '@app/platform/observability/metrics.module';
import { Refusals } from './refusals';

/** Not a table: a function writes refusals, counted by minute, into the audit log. */
export const REFUSAL_RULES: TableRules = {
  table: 'refusals',
  audited: { kind: 'refusals', shown: 'reason count since until', adminOnly: 'name_digest', hidden: '' },
};

/** Records refusals in the audit log. */
@Module({ imports: [MetricsModule], providers: [Refusals], exports: [Refusals] })
export class RefusalsModule {}
