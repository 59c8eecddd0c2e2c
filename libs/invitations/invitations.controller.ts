import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import type { InvitationDetails, InvitationInput, InvitationOrder } from './invitation.values';
import { InvitationsService } from './invitations.service';
import { InvitationsShapes } from './shapes/invitations.shapes';

@ApiTags('invitations')
@Controller('organisations/:organisationId/invitations')
@PathRecords({
  invitationId: {
    table: 'invitations',
    owner: 'organisation_id',
    within: 'organisation',
    condition: 'record.deleted_at IS NULL',
  },
})
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post()
  @Access('invitations.create')
  @Answers(201, InvitationsShapes, 'single')
  create(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Input(InvitationsShapes, 'creation') input: InvitationInput,
  ): Promise<InvitationDetails> {
    return this.invitations.create(caller, organisationId, input);
  }

  @Get()
  @Access('invitations.list')
  @Answers(200, InvitationsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(InvitationsShapes, 'list') request: ListRequest<InvitationOrder>,
  ): Promise<Page<InvitationDetails>> {
    return this.invitations.list(organisationId, request);
  }

  @Get(':invitationId')
  @Access('invitations.read')
  @Answers(200, InvitationsShapes, 'single')
  read(@PathId('invitationId') id: number): Promise<InvitationDetails> {
    return this.invitations.read(id);
  }

  @Put(':invitationId')
  @Access('invitations.update')
  @AnswersNothing()
  update(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('invitationId') id: number,
    @Input(InvitationsShapes, 'change') input: InvitationInput,
  ): Promise<void> {
    return this.invitations.update(caller, organisationId, id, input);
  }

  @Delete(':invitationId')
  @Access('invitations.delete')
  @AnswersNothing()
  delete(@PathId('invitationId') id: number): Promise<void> {
    return this.invitations.delete(id);
  }

  @Get(':invitationId/check')
  @Access('invitations.check')
  @Answers(200, InvitationsShapes, 'availability')
  check(@PathId('invitationId') id: number): Promise<boolean> {
    return this.invitations.isAvailable(id);
  }
}
