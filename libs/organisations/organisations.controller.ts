import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import type {
  NewOrganisation,
  OrganisationChanges,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.types';
import { OperatorOrganisationStays, OrganisationInUse } from './organisations.errors';
import { OrganisationsService } from './organisations.service';
import { OrganisationsShapes } from './shapes/organisations.shapes';

@ApiTags('organisations')
@Controller('organisations')
export class OrganisationsController {
  constructor(private readonly organisations: OrganisationsService) {}

  @Post()
  @Access('organisations.create')
  @RespondsWith(201, OrganisationsShapes, 'created')
  create(
    @CurrentCaller() caller: Caller,
    @RequestBody(OrganisationsShapes, 'create') input: NewOrganisation,
  ): Promise<OrganisationForReader> {
    return this.organisations.create(caller, input);
  }

  @Get()
  @Access('organisations.list')
  @RespondsWith(200, OrganisationsShapes, 'list')
  list(
    @CurrentCaller() caller: Caller,
    @ListQuery(OrganisationsShapes, 'list') request: ListRequest<OrganisationOrder, OrganisationSearch>,
  ): Promise<Page<OrganisationForReader>> {
    return this.organisations.list(caller, request);
  }

  @Get(':organisationId')
  @Access('organisations.read')
  @RespondsWith(200, OrganisationsShapes, 'single')
  read(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') id: number,
  ): Promise<OrganisationForReader> {
    return this.organisations.read(caller, id);
  }

  @Put(':organisationId')
  @Access('organisations.update')
  @NoContent()
  replace(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(OrganisationsShapes, 'update') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Patch(':organisationId')
  @Access('organisations.update')
  @NoContent()
  update(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(OrganisationsShapes, 'update') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Delete(':organisationId')
  @Access('organisations.delete')
  @Refuses(
    new OperatorOrganisationStays(),
    new OrganisationInUse(['it still has enabled users (jan@example.nl)']),
  )
  @NoContent()
  delete(@CurrentCaller() caller: Caller, @PathId('organisationId') id: number): Promise<void> {
    return this.organisations.delete(caller, id);
  }

  @Get(':organisationId/organisations')
  @Access('organisations.listBeneath')
  @RespondsWith(200, OrganisationsShapes, 'subOrganisations')
  listBeneath(
    @PathId('organisationId') id: number,
    @ListQuery(OrganisationsShapes, 'subOrganisations') request: ListRequest<SubOrganisationOrder>,
  ): Promise<Page<SubOrganisation>> {
    return this.organisations.listBeneath(id, request);
  }
}
