import { Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/declarations';
import { Answers, AnswersNothing, Input } from '@app/core/wire/declarations';
import { AclsService, type Grant, type NewGrant } from './acls.service';
import { AclsShapes } from './acls.shapes';

@ApiTags('acls')
@Controller('organisations/:organisationId/acls')
@PathRecords({
  granteeId: { table: 'acls', key: 'grantee_id', owner: 'organisation_id', within: 'organisation' },
})
export class AclsController {
  constructor(private readonly acls: AclsService) {}

  @Post()
  @Access('acls.create')
  @Answers(201, AclsShapes, 'single')
  grant(
    @PathId('organisationId') organisationId: number,
    @Input(AclsShapes, 'creation') input: NewGrant,
  ): Promise<Grant> {
    return this.acls.grant(organisationId, input);
  }

  @Delete(':granteeId')
  @Access('acls.delete')
  @AnswersNothing()
  revoke(
    @PathId('organisationId') organisationId: number,
    @PathId('granteeId') granteeId: number,
  ): Promise<void> {
    return this.acls.revoke(organisationId, granteeId);
  }
}
