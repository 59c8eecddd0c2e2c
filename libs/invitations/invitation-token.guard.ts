import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '@app/core/errors/api-error';
import type { InvitationToAccept } from './invitation.types';
import { RegistrationService } from './registration.service';

/** What `newSecret` makes. */
const TOKEN = /^[0-9a-f]{64}$/;

const INVITATION_PROPERTY = 'invitationToAccept';

type RegistrationRequest = Request & { [INVITATION_PROPERTY]?: InvitationToAccept };

/** 404 for a token that leads to no invitation, before the body is looked at (decisions.md section 2). */
@Injectable()
export class InvitationTokenGuard implements CanActivate {
  constructor(private readonly registrations: RegistrationService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RegistrationRequest>();
    const token = request.params['token'];
    const invitation =
      typeof token === 'string' && TOKEN.test(token)
        ? await this.registrations.invitationOf(token)
        : undefined;
    if (invitation === undefined) throw new NotFound('Invitation');
    request[INVITATION_PROPERTY] = invitation;
    return true;
  }
}

/** The invitation that the token of the path was made for. */
export const CurrentInvitation = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RegistrationRequest>()[INVITATION_PROPERTY];
});
