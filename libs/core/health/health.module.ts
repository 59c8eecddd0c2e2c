import { Controller, Get, HttpCode, Injectable, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '../access/access.decorators';
import { prepared, PreparedQueries } from '../database/prepared-queries';
import { TemporarilyUnavailable } from '../errors/api-error';

const PING = prepared('SELECT 1');

/** Whether the process is on its way out: it then answers "not ready" while it finishes what is in flight. */
@Injectable()
export class Readiness {
  private stopping = false;

  stop(): void {
    this.stopping = true;
  }

  get isStopping(): boolean {
    return this.stopping;
  }
}

@ApiTags('operation')
@Controller('health')
class HealthController {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly readiness: Readiness,
  ) {}

  /** The process runs. */
  @Get('live')
  @HttpCode(200)
  @PublicRoute('asked by the platform, tells nothing')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** The process can serve requests: its database answers and it is not stopping. */
  @Get('ready')
  @HttpCode(200)
  @PublicRoute('asked by the platform, tells nothing')
  async ready(): Promise<{ status: string }> {
    if (this.readiness.isStopping) throw new TemporarilyUnavailable();
    await this.queries.rows(PING, []);
    return { status: 'ok' };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness], exports: [Readiness] })
export class HealthModule {}
