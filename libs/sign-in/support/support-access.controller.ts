import { Controller, Get, Put } from '@nestjs/common';
import { NoContent, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { SupportService } from './support.service';
import { SupportShapes } from './support.shapes';
import type { SupportConsent } from './support.types';

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
