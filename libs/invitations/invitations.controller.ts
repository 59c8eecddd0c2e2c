import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, CurrentCaller } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import type { InvitationDetails, InvitationInput, InvitationOrder } from './invitation.types';
import { emailAlreadyTaken, InvitationNotOpen } from './invitations.errors';
import { InvitationsService } from './invitations.service';
import { InvitationsShapes } from './shapes/invitations.shapes';

@ApiTags('invitations')
@Controller('organisations/:organisationId/invitations')
@PathRecords({
  invitationId: {
    name: 'Invitation',
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
  @RespondsWith(201, InvitationsShapes, 'single')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(InvitationsShapes, 'create') input: InvitationInput,
  ): Promise<InvitationDetails> {
    return this.invitations.create(caller, organisationId, input);
  }

  @Get()
  @Access('invitations.list')
  @RespondsWith(200, InvitationsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(InvitationsShapes, 'list') request: ListRequest<InvitationOrder>,
  ): Promise<Page<InvitationDetails>> {
    return this.invitations.list(organisationId, request);
  }

  @Get(':invitationId')
  @Access('invitations.read')
  @RespondsWith(200, InvitationsShapes, 'single')
  read(@PathId('invitationId') id: number): Promise<InvitationDetails> {
    return this.invitations.read(id);
  }

  @Put(':invitationId')
  @Access('invitations.update')
  @NoContent()
  update(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('invitationId') id: number,
    @RequestBody(InvitationsShapes, 'update') input: InvitationInput,
  ): Promise<void> {
    return this.invitations.update(caller, organisationId, id, input);
  }

  @Delete(':invitationId')
  @Access('invitations.delete')
  @NoContent()
  delete(@PathId('invitationId') id: number): Promise<void> {
    return this.invitations.delete(id);
  }

  @Post(':invitationId/resend')
  @Access('invitations.resend')
  @Refuses(new InvitationNotOpen('accepted'), emailAlreadyTaken())
  @RespondsWith(200, InvitationsShapes, 'single')
  resend(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('invitationId') id: number,
  ): Promise<InvitationDetails> {
    return this.invitations.resend(caller, organisationId, id);
  }

  @Get(':invitationId/check')
  @Access('invitations.check')
  @RespondsWith(200, InvitationsShapes, 'availability')
  check(@PathId('invitationId') id: number): Promise<boolean> {
    return this.invitations.isAvailable(id);
  }
}
