import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import { TeamsShapes } from './shapes/teams.shapes';
import type { TeamDetails, TeamInput, TeamOrder } from './team.values';
import { TeamsService } from './teams.service';

@ApiTags('teams')
@Controller('organisations/:organisationId/teams')
@PathRecords({ teamId: { table: 'teams', owner: 'organisation_id', within: 'organisation' } })
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @Access('teams.list')
  @Answers(200, TeamsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(TeamsShapes, 'list') request: ListRequest<TeamOrder>,
  ): Promise<Page<TeamDetails>> {
    return this.teams.list(organisationId, request);
  }

  @Post()
  @Access('teams.create')
  @Answers(201, TeamsShapes, 'single')
  create(
    @PathId('organisationId') organisationId: number,
    @Input(TeamsShapes, 'creation') input: TeamInput,
  ): Promise<TeamDetails> {
    return this.teams.create(organisationId, input);
  }

  @Get(':teamId')
  @Access('teams.read')
  @Answers(200, TeamsShapes, 'single')
  read(@PathId('teamId') id: number): Promise<TeamDetails> {
    return this.teams.read(id);
  }

  @Put(':teamId')
  @Access('teams.update')
  @AnswersNothing()
  update(@PathId('teamId') id: number, @Input(TeamsShapes, 'change') input: TeamInput): Promise<void> {
    return this.teams.update(id, input);
  }

  @Delete(':teamId')
  @Access('teams.delete')
  @AnswersNothing()
  delete(@PathId('teamId') id: number): Promise<void> {
    return this.teams.delete(id);
  }

  @Put(':teamId/users/:userId')
  @Access('teams.changeMembers')
  @AnswersNothing()
  addMember(
    @PathId('organisationId') organisationId: number,
    @PathId('teamId') id: number,
    @PathId('userId') userId: number,
  ): Promise<void> {
    return this.teams.addMember(organisationId, id, userId);
  }

  @Delete(':teamId/users/:userId')
  @Access('teams.changeMembers')
  @AnswersNothing()
  removeMember(@PathId('teamId') id: number, @PathId('userId') userId: number): Promise<void> {
    return this.teams.removeMember(id, userId);
  }
}
