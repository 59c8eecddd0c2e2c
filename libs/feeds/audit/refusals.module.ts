import { Module } from '@nestjs/common';
import { MetricsModule } from '@app/platform/observability/metrics.module';
import { Refusals } from './refusals';

/** Records refusals in the audit log. */
@Module({ imports: [MetricsModule], providers: [Refusals], exports: [Refusals] })
export class RefusalsModule {}
