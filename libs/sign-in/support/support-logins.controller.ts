import { Controller, Post } from '@nestjs/common';
import { Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { supportNotAllowed } from '@app/security/access/impersonation';
import { SupportService } from './support.service';
import { SupportShapes } from './support.shapes';
import {
  type CreatedSupportLogin,
  type NewSupportLogin,
  ownSecondFactorRequired,
  userKeptOut,
} from './support.types';

@Tag('support')
@Controller('organisations/:organisationId/users/:userId/supportlogins')
export class SupportLoginsController {
  constructor(private readonly support: SupportService) {}

  @Post()
  @Access(
    'supportlogins.create',
    'Log in for support, in the name of a user; the hash is shown this once',
    'For admins with a login that has passed their second factor: a code, or a passkey that made ' +
      'it. The login ends after its minutes and is never prolonged. Without `write` it reads. The ' +
      'user and the managers see it among the logins of the user, can end it there, and are mailed.',
  )
  @Refuses(ownSecondFactorRequired(), supportNotAllowed(), userKeptOut())
  @RespondsWith(201, SupportShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(SupportShapes, 'create') input: NewSupportLogin,
  ): Promise<CreatedSupportLogin> {
    return this.support.create(caller, { organisationId, userId }, input);
  }
}
