import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import { TeamsShapes } from './shapes/teams.shapes';
import type { TeamDetails, TeamInput, TeamOrder } from './team.types';
import { TeamsService } from './teams.service';

@ApiTags('teams')
@Controller('organisations/:organisationId/teams')
@PathRecords({ teamId: { name: 'Team', table: 'teams', owner: 'organisation_id', within: 'organisation' } })
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @Access('teams.list')
  @RespondsWith(200, TeamsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(TeamsShapes, 'list') request: ListRequest<TeamOrder>,
  ): Promise<Page<TeamDetails>> {
    return this.teams.list(organisationId, request);
  }

  @Post()
  @Access('teams.create')
  @RespondsWith(201, TeamsShapes, 'single')
  create(
    @PathId('organisationId') organisationId: number,
    @RequestBody(TeamsShapes, 'create') input: TeamInput,
  ): Promise<TeamDetails> {
    return this.teams.create(organisationId, input);
  }

  @Get(':teamId')
  @Access('teams.read')
  @RespondsWith(200, TeamsShapes, 'single')
  read(@PathId('teamId') id: number): Promise<TeamDetails> {
    return this.teams.read(id);
  }

  @Put(':teamId')
  @Access('teams.update')
  @NoContent()
  update(@PathId('teamId') id: number, @RequestBody(TeamsShapes, 'update') input: TeamInput): Promise<void> {
    return this.teams.update(id, input);
  }

  @Delete(':teamId')
  @Access('teams.delete')
  @NoContent()
  delete(@PathId('teamId') id: number): Promise<void> {
    return this.teams.delete(id);
  }

  @Put(':teamId/users/:userId')
  @Access('teams.updateMembers')
  @NoContent()
  addMember(
    @PathId('organisationId') organisationId: number,
    @PathId('teamId') id: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.teams.addMember(organisationId, id, userId);
  }

  @Delete(':teamId/users/:userId')
  @Access('teams.updateMembers')
  @NoContent()
  removeMember(@PathId('teamId') id: number, @PathId('userId') userId: number): Promise<void> {
    return this.teams.removeMember(id, userId);
  }
}
