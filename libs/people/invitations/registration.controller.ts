import {
  type CanActivate,
  Controller,
  Get,
  Injectable,
  type NestMiddleware,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '@app/config/settings';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import type { UserDetails } from '@app/people/users/user.columns';
import { Deprecated, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { BadRequest, NotFound } from '@app/platform/errors/api-error';
import { publicPath } from '@app/platform/http/public-path';
import { addLink } from '@app/platform/http/response-writer';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import {
  invitationMismatch,
  invitationNotOpen,
  type InvitationToAccept,
  type Registration,
  type RegistrationForm,
} from './invitation.types';
import { CurrentInvitation, InvitationTokenGuard } from './invitation-token.guard';
import { RegistrationService } from './registration.service';
import { InvitationsShapes } from './shapes/invitations.shapes';

/**
 * RFC 9745 requires a date. 1 January 2024 lies before both descriptions, which deprecate
 * the route from the start.
 */
const DEPRECATED_SINCE = '@1704067200';

/** RFC 8288 requires a URI reference, so the braces are encoded. */
const SUCCESSOR = '/v1/registerInvitation/%7Btoken%7D>; rel="successor-version"';

/** Marks every response of the registration without a token as deprecated, also errors of guards. */
@Injectable()
export class DeprecationHeaders implements NestMiddleware {
  private readonly successor: string;

  constructor(settings: Settings) {
    this.successor = `<${publicPath(settings)}${SUCCESSOR}`;
  }

  use(_request: Request, response: Response, next: NextFunction): void {
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    addLink(response, this.successor);
    next();
  }
}

/** 400 for a registration without a token; undefined with `ALLOW_TOKENLESS_REGISTRATION`. */
const tokenRequired = ({ allowTokenlessRegistration }: Settings): BadRequest | undefined =>
  allowTokenlessRegistration
    ? undefined
    : new BadRequest(
        'Registration needs the token of the invitation mail: POST /v1/registerInvitation/{token}',
        'TOKEN_REQUIRED',
      );

/** A registration without a token proves itself by data that can be guessed, so it is off by default. */
@Injectable()
class TokenlessRegistrationGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): boolean {
    const refusal = tokenRequired(this.settings);
    if (refusal !== undefined) throw refusal;
    return true;
  }
}

@Tag('login')
@Controller('registerInvitation')
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute(
    'whoever registers has no credential yet: the token of the invitation mail counts',
    'Show an invited person what the registration needs',
  )
  @UseGuards(InvitationTokenGuard)
  @Refuses(new NotFound('Invitation'), invitationNotOpen('expired'), invitationNotOpen('accepted'))
  @RespondsWith(200, InvitationsShapes, 'form')
  form(@CurrentInvitation() invitation: InvitationToAccept): RegistrationForm {
    return this.registrations.form(invitation);
  }

  @Post(':token')
  @PublicRoute(
    'whoever registers has no credential yet: the token of the invitation mail counts',
    'Register with the token of an invitation mail',
  )
  @UseGuards(InvitationTokenGuard)
  @Refuses(new NotFound('Invitation'), invitationMismatch(), invitationNotOpen('expired'))
  @RespondsWith(201, UsersShapes, 'single')
  register(
    @Ctx() ctx: RequestContext,
    @CurrentInvitation() invitation: InvitationToAccept,
    @RequestBody(InvitationsShapes, 'register') registration: Registration,
  ): Promise<UserDetails> {
    return this.registrations.register(ctx, invitation, registration);
  }

  @Post()
  @PublicRoute(
    'whoever registers has no credential yet',
    'Register without a token (deprecated)',
    'Off unless the operator allows it: use the path with the token',
  )
  @Deprecated()
  @UseGuards(TokenlessRegistrationGuard)
  @Refuses(invitationMismatch(), tokenRequired)
  @RespondsWith(201, UsersShapes, 'single')
  registerWithoutToken(
    @Ctx() ctx: RequestContext,
    @RequestBody(InvitationsShapes, 'register') registration: Registration,
  ): Promise<UserDetails> {
    return this.registrations.registerWithoutToken(ctx, registration);
  }
}
