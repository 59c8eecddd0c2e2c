import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { NoContent, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { TeamsShapes } from './shapes/teams.shapes';
import type { TeamDetails, TeamOrder } from './team.columns';
import type { TeamInput } from './team.types';
import { TeamsService } from './teams.service';

@Controller('organisations/:organisationId/teams')
@PathRecords({ teamId: { name: 'Team', table: 'teams', within: 'organisationId', tag: 'record.version' } })
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @Access('teams.list', 'List the teams of an organisation')
  @RespondsWith(200, TeamsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(TeamsShapes, 'list') request: ListRequest<TeamOrder>,
  ): Promise<Page<TeamDetails>> {
    return this.teams.list(caller, organisationId, request);
  }

  @Post()
  @Access('teams.create', 'Create a team')
  @RespondsWith(201, TeamsShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(TeamsShapes, 'create') input: TeamInput,
  ): Promise<TeamDetails> {
    return this.teams.create(caller, organisationId, input);
  }

  @Get(':teamId')
  @Access('teams.read', 'Read a team')
  @RespondsWith(200, TeamsShapes, 'single')
  read(@Ctx() caller: Caller, @PathId('teamId') id: number): Promise<TeamDetails> {
    return this.teams.read(caller, id);
  }

  @Put(':teamId')
  @Access('teams.update', 'Change a team', 'Without `autoAddSshkey` it stays as it is.')
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('teamId') id: number,
    @RequestBody(TeamsShapes, 'update') input: TeamInput,
  ): Promise<void> {
    return this.teams.update(caller, id, input);
  }

  @Delete(':teamId')
  @Access('teams.delete', 'Delete a team')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('teamId') id: number): Promise<void> {
    return this.teams.delete(caller, id);
  }

  @Put(':teamId/users/:userId')
  @Access(
    'teams.updateMembers',
    'Add a user to a team',
    'Keys add nobody to a team that uses a grant of another organisation.',
  )
  @NoContent()
  addMember(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('teamId') id: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.teams.addMember(caller, organisationId, id, userId);
  }

  @Delete(':teamId/users/:userId')
  @Access('teams.updateMembers', 'Take a user out of a team')
  @NoContent()
  removeMember(
    @Ctx() caller: Caller,
    @PathId('teamId') id: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.teams.removeMember(caller, id, userId);
  }
}
