import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { Refusals } from './refusals';

/** The audit of what was refused. */
@Module({ imports: [MetricsModule], providers: [Refusals], exports: [Refusals] })
export class RefusalsModule {}
