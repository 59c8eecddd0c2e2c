import { Controller, Get } from '@nestjs/common';
import { RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { AccessListService } from './access-list.service';
import { AccessListShapes } from './access-list.shapes';
import type { AccessHolder, AccessOrder } from './access-list.types';

@Controller('organisations/:organisationId/access')
export class AccessListController {
  constructor(private readonly holders: AccessListService) {}

  @Get()
  @Access(
    'access.list',
    'List the users and service keys that have access to an organisation',
    'Who may do something on the organisation itself at this moment, and why. Orders other than `id`, and csv, read the whole list.',
  )
  @RespondsWith(200, AccessListShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(AccessListShapes, 'list') request: ListRequest<AccessOrder>,
  ): Promise<Page<AccessHolder>> {
    return this.holders.list(caller, organisationId, request);
  }
}
