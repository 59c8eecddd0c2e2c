import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from '@app/platform/observability/metrics';
import { PublicRoute } from '@app/security/access/access.decorators';
import { databaseGauges, DatabaseReadings } from './database-gauges';

@Controller('metrics')
export class MetricsController {
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
