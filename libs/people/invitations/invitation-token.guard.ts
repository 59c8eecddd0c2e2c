import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { found } from '@app/platform/errors/api-error';
import { accessState } from '@app/security/context/access-state';
import { isSecret } from '@app/security/secrets/digest';
import type { InvitationToAccept } from './invitation.types';
import { RegistrationService } from './registration.service';

const INVITATION_PROPERTY = 'invitationToAccept';

type RegistrationRequest = Request & { [INVITATION_PROPERTY]?: InvitationToAccept };

/** 404 for an unknown token, before the body is checked (rule users 31). */
@Injectable()
export class InvitationTokenGuard implements CanActivate {
  constructor(private readonly registrations: RegistrationService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RegistrationRequest>();
    const token = String(request.params['token']);
    const invitation = isSecret(token) ? await this.registrations.invitationOf(token) : undefined;
    request[INVITATION_PROPERTY] = found(invitation, 'Invitation');
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).announceOrganisation?.(request[INVITATION_PROPERTY].organisationId);
    return true;
  }
}

/** The invitation of the token in the path. */
export const CurrentInvitation = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<RegistrationRequest>()[INVITATION_PROPERTY];
});
