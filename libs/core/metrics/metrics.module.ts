import { Controller, Get, Header, Module, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { PublicRoute } from '../access/access.decorators';
import { Metrics } from './metrics';

@ApiExcludeController()
@Controller('metrics')
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @PublicRoute('scraped by Prometheus; keep it inside by the proxy in front')
  @Header('Cache-Control', 'no-store')
  async read(@Res() response: Response): Promise<void> {
    const text = await this.metrics.registry.metrics();
    response.type(this.metrics.registry.contentType).send(text);
  }
}

@Module({ controllers: [MetricsController], providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
