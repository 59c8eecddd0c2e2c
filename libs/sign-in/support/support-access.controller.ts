import { Controller, Get, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Access, ChecksProof, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { Proven } from '@app/security/passwords/step-up-proof';
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
  @ChecksProof()
  @Access(
    'supportaccess.update',
    'Change what an organisation lets support logins do',
    'For its managers; admins only read it. Lowering it ends at once all support logins that exceed it. More than before asks a login by a link for the proof.',
  )
  @Refuses(...PROOF_REFUSALS)
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(SupportShapes, 'consentRequest') consent: SupportConsent & Proven,
  ): Promise<void> {
    return this.support.setConsent(caller, organisationId, consent);
  }
}
