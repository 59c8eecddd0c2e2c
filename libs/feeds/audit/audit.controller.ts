import { Controller, Get } from '@nestjs/common';
import { RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { AuditService } from './audit.service';
import { type AuditedActResponse, AuditShapes } from './audit.shapes';
import type { AuditedActOrder, AuditedActSearch } from './audited-act.queries';

@Controller('organisations/:organisationId/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Access(
    'audit.list',
    'List who did what to an organisation, and what its users did',
    'A page costs the same however long the log is, ordered by `id` and narrowed by user, kind ' +
      'and time; `filter` looks at kinds, actions and names of users of the organisation. ' +
      '`orderType=DESC` begins with the newest.',
  )
  @RespondsWith(200, AuditShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(AuditShapes, 'list') request: ListRequest<AuditedActOrder, AuditedActSearch>,
  ): Promise<Page<AuditedActResponse>> {
    return this.audit.list(caller, organisationId, request);
  }
}
