import { Controller, Get, Header, Module, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics, MetricsModule } from '@app/platform/observability/metrics';
import { PublicRoute } from '@app/security/access/access.decorators';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { databaseGauges, DatabaseReadings } from './database-gauges';
import { ProcessGauges } from './process-gauges';

@Controller('metrics')
class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly readings: DatabaseReadings,
  ) {}

  @Get()
  @PublicRoute('scraped by Prometheus; keep it inside by the proxy in front', 'Metrics for Prometheus')
  @Header('Cache-Control', 'no-store')
  async read(@Res() response: Response): Promise<void> {
    const [ofProcess, reading] = await Promise.all([this.metrics.registry.metrics(), this.readings.read()]);
    const text = `${ofProcess}\n${await databaseGauges(reading)}`;
    response.type(this.metrics.registry.contentType).end(text);
  }
}

@Module({
  imports: [MetricsModule, PasswordsModule, ThrottlingModule],
  controllers: [MetricsController],
  providers: [DatabaseReadings, ProcessGauges],
})
export class MetricsRoutesModule {}
