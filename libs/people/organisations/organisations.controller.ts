import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type {
  OrganisationForReader,
  OrganisationOrder,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.columns';
import {
  operatorOrganisationNotDeletable,
  organisationInUse,
  type OrganisationSearch,
} from './organisation.types';
import type { NewOrganisation, OrganisationChanges } from './organisation-changes.types';
import { OrganisationsService } from './organisations.service';
import { OrganisationsShapes } from './shapes/organisations.shapes';
import { suspendedFromAbove } from './suspended-links';

@Controller('organisations')
@Versioned({ table: 'organisations', parameter: 'organisationId' })
export class OrganisationsController {
  constructor(private readonly organisations: OrganisationsService) {}

  @Post()
  @Access(
    'organisations.create',
    'Create an organisation',
    'An organisation created by who is no admin gets the organisation of its creator as its ' +
      'reseller, unless another one in reach is named. A customer makes at most 1,000 in an hour; ' +
      'the people and keys of the operator make any number.',
  )
  @RespondsWith(201, OrganisationsShapes, 'created')
  @Refuses(new TooManyRequests(3600))
  create(
    @Ctx() caller: Caller,
    @RequestBody(OrganisationsShapes, 'create') input: NewOrganisation,
  ): Promise<OrganisationForReader> {
    return this.organisations.create(caller, input);
  }

  @Get()
  @Access('organisations.list', 'List the organisations in reach')
  @RespondsWith(200, OrganisationsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @ListQuery(OrganisationsShapes, 'list') request: ListRequest<OrganisationOrder, OrganisationSearch>,
  ): Promise<Page<OrganisationForReader>> {
    return this.organisations.list(caller, request);
  }

  @Get(':organisationId')
  @Access('organisations.read', 'Read an organisation')
  @RespondsWith(200, OrganisationsShapes, 'single')
  read(@Ctx() caller: Caller, @PathId('organisationId') id: number): Promise<OrganisationForReader> {
    return this.organisations.read(caller, id);
  }

  @Put(':organisationId')
  @Access(
    'organisations.update',
    'Change an organisation: what is absent stays',
    'Changes what is present and keeps what is absent, with PUT and PATCH alike. `null` clears a ' +
      'nullable field, and is refused where the field is not nullable.',
  )
  @Refuses(new TooManyRequests(3600), suspendedFromAbove())
  @NoContent()
  replace(
    @Ctx() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(OrganisationsShapes, 'update') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Patch(':organisationId')
  @Access(
    'organisations.update',
    'Change an organisation, exactly as PUT does',
    'Changes what is present and keeps what is absent, with PUT and PATCH alike. `null` clears a ' +
      'nullable field, and is refused where the field is not nullable.',
  )
  @Refuses(new TooManyRequests(3600), suspendedFromAbove())
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') id: number,
    @RequestBody(OrganisationsShapes, 'update') input: OrganisationChanges,
  ): Promise<void> {
    return this.organisations.update(caller, id, input);
  }

  @Delete(':organisationId')
  @Access(
    'organisations.delete',
    'Delete an organisation',
    'Refused while organisations lie beneath it or while it has enabled users; the message names which.',
  )
  @Refuses(
    operatorOrganisationNotDeletable(),
    organisationInUse(['it still has enabled users (jan@example.nl)']),
  )
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('organisationId') id: number): Promise<void> {
    return this.organisations.delete(caller, id);
  }

  @Get(':organisationId/organisations')
  @Access('organisations.listBeneath', 'List the organisations beneath one, to any depth')
  @RespondsWith(200, OrganisationsShapes, 'subOrganisations')
  listBeneath(
    @Ctx() caller: Caller,
    @PathId('organisationId') id: number,
    @ListQuery(OrganisationsShapes, 'subOrganisations') request: ListRequest<SubOrganisationOrder>,
  ): Promise<Page<SubOrganisation>> {
    return this.organisations.listBeneath(caller, id, request);
  }
}
