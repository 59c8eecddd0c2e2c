import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import type {
  OrganisationChanges,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.values';
import { OrganisationsService } from './organisations.service';
import { OrganisationsShapes } from './shapes/organisations.shapes';

@ApiTags('organisations')
@Controller('organisations')
export class OrganisationsController {
  constructor(private readonly organisations: OrganisationsService) {}

  @Post()
  @Access('organisations.create')
  @Answers(201, OrganisationsShapes, 'created')
  create(
    @TheCaller() caller: Caller,
    @Input(OrganisationsShapes, 'creation') input: OrganisationChanges,
  ): Promise<OrganisationForReader> {
    return this.organisations.create(caller, input);
  }

  @Get()
  @Access('organisations.list')
  @Answers(200, OrganisationsShapes, 'list')
  list(
    @TheCaller() caller: Caller,
    @ListQuery(OrganisationsShapes, 'list') request: ListRequest<OrganisationOrder, OrganisationSearch>,
  ): Promise<Page<OrganisationForReader>> {
    return this.organisations.list(caller, request);
  }

  @Get(':organisationId')
  @Access('organisations.read')
  @Answers(200, OrganisationsShapes, 'single')
  read(@TheCaller() caller: Caller, @PathId('organisationId') id: number): Promise<OrganisationForReader> {
    return this.organisations.read(caller, id);
  }

  @Put(':organisationId')
  @Access('organisations.update')
  @AnswersNothing()
  replace(
    @TheCaller() caller: Caller,
    @PathId('organisationId') id: number,
    @Input(OrganisationsShapes, 'change') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Patch(':organisationId')
  @Access('organisations.update')
  @AnswersNothing()
  update(
    @TheCaller() caller: Caller,
    @PathId('organisationId') id: number,
    @Input(OrganisationsShapes, 'change') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Delete(':organisationId')
  @Access('organisations.delete')
  @AnswersNothing()
  delete(@PathId('organisationId') id: number): Promise<void> {
    return this.organisations.delete(id);
  }

  @Get(':organisationId/organisations')
  @Access('organisations.listBeneath')
  @Answers(200, OrganisationsShapes, 'subOrganisations')
  listBeneath(
    @PathId('organisationId') id: number,
    @ListQuery(OrganisationsShapes, 'subOrganisations') request: ListRequest<SubOrganisationOrder>,
  ): Promise<Page<SubOrganisation>> {
    return this.organisations.listBeneath(id, request);
  }
}
