import { Controller, Get, Header, Module, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { PublicRoute } from '../access/access.decorators';
import { PasswordsModule } from '../passwords/passwords.module';
import { ThrottlingModule } from '../throttling/throttling.module';
import { databaseGauges } from './database-gauges';
import { DatabaseReadings } from './database-reading';
import { Metrics } from './metrics';
import { ProcessGauges } from './process-gauges';

@ApiExcludeController()
@Controller('metrics')
class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly readings: DatabaseReadings,
  ) {}

  @Get()
  @PublicRoute('scraped by Prometheus; keep it inside by the proxy in front')
  @Header('Cache-Control', 'no-store')
  async read(@Res() response: Response): Promise<void> {
    const [ofProcesses, reading] = await Promise.all([this.metrics.text(), this.readings.read()]);
    const text = `${ofProcesses}\n${await databaseGauges(reading)}`;
    response.type(this.metrics.registry.contentType).send(text);
  }
}

@Module({
  imports: [PasswordsModule, ThrottlingModule],
  controllers: [MetricsController],
  providers: [DatabaseReadings, Metrics, ProcessGauges],
  exports: [Metrics],
})
export class MetricsModule {}
