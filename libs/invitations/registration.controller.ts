import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ClientAddress } from '@app/core/access/client';
import { PublicRoute } from '@app/core/access/access.decorators';
import { NotFound } from '@app/core/errors/api-error';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, RequestBody } from '@app/core/wire/wire.decorators';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import type { UserDetails } from '@app/users/user.types';
import { InvitationTokenGuard, CurrentInvitation } from './invitation-token.guard';
import type { InvitationToAccept, Registration, RegistrationForm } from './invitation.types';
import { InvitationMismatch, InvitationNotOpen, TokenRequired } from './invitations.errors';
import { RegistrationService } from './registration.service';
import { InvitationsShapes } from './shapes/invitations.shapes';
import { TokenlessRegistrationGuard } from './tokenless-registration';

@ApiTags('login')
@Controller('registerInvitation')
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  /** It changes nothing: who scans mails for links opens them. */
  @Get(':token')
  @PublicRoute('whoever registers has no credential yet: the token of the invitation mail counts')
  @UseGuards(InvitationTokenGuard)
  @Refuses(new NotFound('Invitation'), new InvitationNotOpen('expired'), new InvitationNotOpen('accepted'))
  @RespondsWith(200, InvitationsShapes, 'form')
  form(@CurrentInvitation() invitation: InvitationToAccept): RegistrationForm {
    return this.registrations.form(invitation);
  }

  @Post(':token')
  @PublicRoute('whoever registers has no credential yet: the token of the invitation mail counts')
  @UseGuards(InvitationTokenGuard)
  @Refuses(new NotFound('Invitation'), new InvitationMismatch(), new InvitationNotOpen('expired'))
  @RespondsWith(201, UsersShapes, 'single')
  register(
    @CurrentInvitation() invitation: InvitationToAccept,
    @RequestBody(InvitationsShapes, 'register') registration: Registration,
  ): Promise<UserDetails> {
    return this.registrations.register(invitation, registration);
  }

  @Post()
  @ApiOperation({
    deprecated: true,
    description: 'Off unless the operator allows it: use the path with the token',
  })
  @PublicRoute('whoever registers has no credential yet')
  @UseGuards(TokenlessRegistrationGuard)
  @Refuses(new InvitationMismatch(), new TokenRequired())
  @RespondsWith(201, UsersShapes, 'single')
  registerWithoutToken(
    @RequestBody(InvitationsShapes, 'register') registration: Registration,
    @ClientAddress() address: string,
  ): Promise<UserDetails> {
    return this.registrations.registerWithoutToken(registration, address);
  }
}
