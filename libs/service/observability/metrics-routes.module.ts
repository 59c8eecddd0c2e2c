import { Module } from '@nestjs/common';
import { MetricsModule } from '@app/platform/observability/metrics.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { DatabaseReadings } from './database-gauges';
import { MetricsController } from './metrics.controller';
import { ProcessGauges } from './process-gauges';

@Module({
  imports: [MetricsModule, PasswordsModule, ThrottlingModule],
  controllers: [MetricsController],
  providers: [DatabaseReadings, ProcessGauges],
})
export class MetricsRoutesModule {}
