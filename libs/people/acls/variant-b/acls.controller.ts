import { Controller, Delete, Get, Post } from '@nestjs/common';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { isInForce } from '@app/security/access/used-grant';
import type { AclOrder, Grant, NewAcl } from './acl.queries';
import { AclsService } from './acls.service';
import { AclsShapes } from './acls.shapes';

@Controller('organisations/:organisationId/acls')
@PathRecords({
  granteeId: {
    name: 'Grant',
    words: 'organisation whose access is taken back',
    table: 'acls',
    key: 'grantee_id',
    within: 'organisationId',
    condition: isInForce('record'),
    sharedWith: ['grantee_id'],
  },
})
export class AclsController {
  constructor(private readonly acls: AclsService) {}

  @Get()
  @Access('acls.list', 'List the grants of an organisation, given and received')
  @RespondsWith(200, AclsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(AclsShapes, 'list') request: ListRequest<AclOrder>,
  ): Promise<Page<Grant>> {
    return this.acls.list(caller, organisationId, request);
  }

  @Post()
  @Access(
    'acls.create',
    'Grant another organisation read access',
    'Granting what is granted already answers the existing grant. A customer begins at most 60 grants in an hour.',
  )
  @RespondsWith(201, AclsShapes, 'single')
  @Refuses(new TooManyRequests(3600))
  grant(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(AclsShapes, 'create') input: NewAcl,
  ): Promise<Grant> {
    return this.acls.grant(caller, organisationId, input);
  }

  @Delete(':granteeId')
  @Access(
    'acls.delete',
    'End the access of another organisation',
    'Managers of the organisation that reads end it too.',
  )
  @NoContent()
  revoke(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('granteeId') granteeId: number,
  ): Promise<void> {
    return this.acls.revoke(caller, organisationId, granteeId);
  }
}
