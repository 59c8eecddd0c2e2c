import { Controller, Get, Post } from '@nestjs/common';
import { suspendedFromAbove } from '@app/people/organisations/suspended-links';
import { Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { operatorIsNotDisabled, type OrganisationAction } from './suspension.types';
import { SuspensionsService } from './suspensions.service';
import { type StateOfOrganisationResponse, SuspensionsShapes } from './suspensions.shapes';

@Controller('organisations/:organisationId/actions')
export class SuspensionsController {
  constructor(private readonly suspensions: SuspensionsService) {}

  @Get()
  @Access(
    'organisations.readState',
    'Tell whether the users of an organisation are let in, and what keeps them out',
  )
  @RespondsWith(200, SuspensionsShapes, 'state')
  read(@Ctx() caller: Caller, @PathId('organisationId') id: number): Promise<StateOfOrganisationResponse> {
    return this.suspensions.read(caller, id);
  }

  @Post()
  @Access(
    'organisations.setEnabled',
    'Disable (suspend) or enable an organisation',
    'From the next request on, no credential, password, recovery or invitation of the ' +
      'organisation is accepted; its users are not changed, and enabling lets them in as they ' +
      'were. What holds beneath holds for organisations that are created or moved there later. ' +
      'Each suspension ends by itself: enabling one leaves those above and beneath it.',
  )
  @Refuses(operatorIsNotDisabled(), suspendedFromAbove())
  @RespondsWith(200, SuspensionsShapes, 'state')
  setEnabled(
    @Ctx() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(SuspensionsShapes, 'action') action: OrganisationAction,
  ): Promise<StateOfOrganisationResponse> {
    return this.suspensions.act(caller, id, action);
  }
}
