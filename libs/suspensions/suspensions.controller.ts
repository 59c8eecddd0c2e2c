import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, CurrentCaller, PathId } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RequestBody, RespondsWith } from '@app/core/wire/wire.decorators';
import { SuspensionsShapes } from './shapes/suspensions.shapes';
import type { OrganisationAction, OrganisationState } from './suspension.types';
import { OperatorIsNotDisabled, SuspendedFromAbove } from './suspensions.errors';
import { SuspensionsService } from './suspensions.service';

@ApiTags('organisations')
@Controller('organisations/:organisationId/actions')
export class SuspensionsController {
  constructor(private readonly suspensions: SuspensionsService) {}

  @Get()
  @Access('organisations.readState')
  @RespondsWith(200, SuspensionsShapes, 'state')
  read(@CurrentCaller() caller: Caller, @PathId('organisationId') id: number): Promise<OrganisationState> {
    return this.suspensions.read(caller, id);
  }

  @Post()
  @Access('organisations.setEnabled')
  @Refuses(new OperatorIsNotDisabled(), new SuspendedFromAbove())
  @RespondsWith(200, SuspensionsShapes, 'state')
  setEnabled(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(SuspensionsShapes, 'action') action: OrganisationAction,
  ): Promise<OrganisationState> {
    return this.suspensions.act(caller, id, action);
  }
}
