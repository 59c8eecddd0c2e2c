import { Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import { RespondsWith, NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import type { Grant, NewGrant } from './acl.types';
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

  @Post()
  @Access('acls.create')
  @RespondsWith(201, AclsShapes, 'single')
  grant(
    @PathId('organisationId') organisationId: number,
    @RequestBody(AclsShapes, 'create') input: NewGrant,
  ): Promise<Grant> {
    return this.acls.grant(organisationId, input);
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
