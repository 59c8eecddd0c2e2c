import { Controller, Get } from '@nestjs/common';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { ResponseField } from '@app/platform/dto/shapes';
import { RespondsStatus, Tag } from '@app/platform/dto/wire.decorators';
import { TemporarilyUnavailable } from '@app/platform/errors/api-error';
import { PublicRoute } from '@app/security/access/access.decorators';
import { Readiness } from './readiness';

const CAN_WRITE = prepared<{ writable: boolean }>(
  `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
);

/** Once there is an admin, a constraint ensures that there always is one. */
const HAS_ADMIN = prepared<{ found: boolean }>(
  `SELECT EXISTS (SELECT FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']) AS found`,
);

class HealthResponse {
  @ResponseField({
    enum: ['ok'],
    description: 'Always ok: a process that is not well answers 503, or nothing',
  })
  status!: string;
}

@Tag('operation')
@Controller('health')
export class HealthController {
  private hasAdmin = false;

  constructor(
    private readonly queries: DatabaseReads,
    private readonly readiness: Readiness,
  ) {}

  @Get('live')
  @RespondsStatus(200, HealthResponse)
  @PublicRoute('asked by the platform, tells nothing', 'Tell that the process runs')
  live(): HealthResponse {
    return { status: 'ok' };
  }

  /**
   * The process can serve requests: its database answers, accepts writes and has an admin, and
   * the process is not stopping.
   */
  @Get('ready')
  @RespondsStatus(200, HealthResponse)
  @PublicRoute('asked by the platform, tells nothing', 'Tell whether the process can serve requests')
  async ready(): Promise<HealthResponse> {
    if (this.readiness.isStopping) throw new TemporarilyUnavailable();
    const state = await this.queries.row(CAN_WRITE, []);
    if (state?.writable !== true) throw new TemporarilyUnavailable();
    this.hasAdmin ||= (await this.queries.row(HAS_ADMIN, []))?.found === true;
    if (!this.hasAdmin) throw new TemporarilyUnavailable();
    return { status: 'ok' };
  }
}
