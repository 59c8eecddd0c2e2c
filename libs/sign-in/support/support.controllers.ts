import { Controller, Get, Post, Put } from '@nestjs/common';
import { NoContent, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, type Caller, Ctx, PathId } from '@app/security/access/access.decorators';
import { supportNotAllowed } from '@app/security/access/access-evaluation';
import { SupportService } from './support.service';
import { SupportShapes } from './support.shapes';
import {
  type CreatedSupportLogin,
  type NewSupportLogin,
  ownSecondFactorRequired,
  type SupportConsent,
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
    'For admins with a login that has passed their second factor: a code, or a passkey that made it. The login ends after its minutes and is never prolonged. Without `write` it reads. The user and the managers see it among the logins of the user, can end it there, and are mailed.',
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

@Tag('support')
@Controller('organisations/:organisationId/supportaccess')
export class SupportAccessController {
  constructor(private readonly support: SupportService) {}

  @Get()
  @Access('supportaccess.read', 'Tell what an organisation lets support logins do')
  @RespondsWith(200, SupportShapes, 'consent')
  read(@PathId('organisationId') organisationId: number): Promise<SupportConsent> {
    return this.support.consent(organisationId);
  }

  @Put()
  @Access(
    'supportaccess.update',
    'Change what an organisation lets support logins do',
    'For its managers; admins only read it. Lowering it ends at once all support logins that exceed it.',
  )
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(SupportShapes, 'consentRequest') consent: SupportConsent,
  ): Promise<void> {
    return this.support.setConsent(caller, organisationId, consent);
  }
}
