import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, ChecksProof, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { Proven, StepUpProof } from '@app/security/passwords/step-up-proof';
import { INVITATION_TAG, type InvitationDetails, type InvitationOrder } from './invitation.columns';
import {
  emailAlreadyTaken,
  type InvitationInput,
  invitationNotOpen,
  tooManyInvitationMails,
} from './invitation.types';
import { InvitationsService } from './invitations.service';
import { InvitationsShapes } from './shapes/invitations.shapes';

@Controller('organisations/:organisationId/invitations')
@PathRecords({
  invitationId: {
    name: 'Invitation',
    table: 'invitations',
    within: 'organisationId',
    condition: 'record.deleted_at IS NULL',
    tag: INVITATION_TAG,
  },
})
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post()
  @ChecksProof()
  @Access(
    'invitations.create',
    'Invite a person to an organisation',
    'Mails a link with a token to the address, five times a day at most. Keys name no team that ' +
      'uses a grant of another organisation. With STEP_UP it asks for the proof where a role that ' +
      'manages others is given.',
  )
  @Refuses(tooManyInvitationMails(3600), ...PROOF_REFUSALS)
  @RespondsWith(201, InvitationsShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(InvitationsShapes, 'create') input: InvitationInput & Proven,
  ): Promise<InvitationDetails> {
    return this.invitations.create(caller, organisationId, input);
  }

  @Get()
  @Access('invitations.list', 'List the invitations of an organisation')
  @RespondsWith(200, InvitationsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(InvitationsShapes, 'list') request: ListRequest<InvitationOrder>,
  ): Promise<Page<InvitationDetails>> {
    return this.invitations.list(organisationId, request);
  }

  @Get(':invitationId')
  @Access('invitations.read', 'Read an invitation')
  @RespondsWith(200, InvitationsShapes, 'single')
  read(@PathId('invitationId') id: number): Promise<InvitationDetails> {
    return this.invitations.read(id);
  }

  @Put(':invitationId')
  @ChecksProof()
  @Access(
    'invitations.update',
    'Change an invitation: what is absent stays',
    'Changes what is present and keeps what is absent. Another address, or an invitation that ' +
      'had expired, gets a new token by mail. Whoever changes it is the one who gives its roles: ' +
      'with STEP_UP it asks for the proof where one of them manages others.',
  )
  @Refuses(tooManyInvitationMails(3600), ...PROOF_REFUSALS)
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('invitationId') id: number,
    @RequestBody(InvitationsShapes, 'update') input: InvitationInput & Proven,
  ): Promise<void> {
    return this.invitations.update(caller, organisationId, id, input);
  }

  @Delete(':invitationId')
  @Access('invitations.delete', 'Withdraw an invitation')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('invitationId') id: number): Promise<void> {
    return this.invitations.delete(caller, id);
  }

  @Post(':invitationId/resend')
  @ChecksProof()
  @Access(
    'invitations.resend',
    'Mail an invitation again, with a new link',
    'The link of the mail before ends; the new one has the whole time, also where the invitation ' +
      'had expired. With STEP_UP it asks for the proof as a change does.',
  )
  @Refuses(
    invitationNotOpen('accepted'),
    emailAlreadyTaken(),
    tooManyInvitationMails(3600),
    ...PROOF_REFUSALS,
  )
  @RespondsWith(200, InvitationsShapes, 'single')
  resend(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('invitationId') id: number,
    @RequestBody(InvitationsShapes, 'resend', { ifReadable: true }) proof: StepUpProof | undefined,
  ): Promise<InvitationDetails> {
    return this.invitations.resend(caller, organisationId, id, proof);
  }

  @Get(':invitationId/check')
  @Access('invitations.check', 'Tell whether an invitation is still available')
  @RespondsWith(200, InvitationsShapes, 'availability')
  check(@PathId('invitationId') id: number): Promise<boolean> {
    return this.invitations.isAvailable(id);
  }
}
