import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, CurrentCaller, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, ListQuery, RequestBody } from '@app/core/wire/wire.decorators';
import type { Grant, GrantOrder, NewGrant } from './acl.types';
import { AclsService } from './acls.service';
import { AclsShapes } from './acls.shapes';

@ApiTags('acls')
@Controller('organisations/:organisationId/acls')
@PathRecords({
  granteeId: {
    name: 'Grant',
    table: 'acls',
    key: 'grantee_id',
    owner: 'organisation_id',
    within: 'organisation',
  },
})
export class AclsController {
  constructor(private readonly acls: AclsService) {}

  @Get()
  @Access('acls.list')
  @RespondsWith(200, AclsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(AclsShapes, 'list') request: ListRequest<GrantOrder>,
  ): Promise<Page<Grant>> {
    return this.acls.list(organisationId, request);
  }

  @Post()
  @Access('acls.create')
  @RespondsWith(201, AclsShapes, 'single')
  grant(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(AclsShapes, 'create') input: NewGrant,
  ): Promise<Grant> {
    return this.acls.grant(caller, organisationId, input);
  }

  @Delete(':granteeId')
  @Access('acls.delete')
  @NoContent()
  revoke(
    @PathId('organisationId') organisationId: number,
    @PathId('granteeId') granteeId: number,
  ): Promise<void> {
    return this.acls.revoke(organisationId, granteeId);
  }
}
