import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentCaller, PathId } from '@app/core/access/access.decorators';
import type { Caller } from '@app/core/access/caller';
import type { ListRequest, Page } from '@app/core/paging/page';
import { ListQuery, RespondsWith } from '@app/core/wire/wire.decorators';
import { AuditService } from './audit.service';
import type { AuditedAct, AuditedActOrder, AuditedActSearch } from './audited-act.types';
import { AuditShapes } from './shapes/audit.shapes';

@ApiTags('audit')
@Controller('organisations/:organisationId/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Access('audit.list')
  @RespondsWith(200, AuditShapes, 'list')
  list(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(AuditShapes, 'list') request: ListRequest<AuditedActOrder, AuditedActSearch>,
  ): Promise<Page<AuditedAct>> {
    return this.audit.list(caller, organisationId, request);
  }
}
