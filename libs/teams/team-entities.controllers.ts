import { Controller, Delete, Post, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import { RespondsWith, NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { TeamsShapes } from './shapes/teams.shapes';
import {
  TEAM_ENTITY_KINDS,
  type TeamEntityTie,
  type TeamEntityInput,
  type TeamEntityKind,
} from './team.types';
import { TeamsService } from './teams.service';

/**
 * The routes of one kind of entity. A controller for each kind, and not a parameter for the kind, so that a path
 * with another word is unknown to the router like any other, and the interface description names each.
 */
function teamEntitiesController(kind: TeamEntityKind): Type<object> {
  @ApiTags('teams')
  @Controller(`organisations/:organisationId/teams/:teamId/${kind}`)
  @PathRecords({ teamId: { name: 'Team', table: 'teams', owner: 'organisation_id', within: 'organisation' } })
  class TeamEntitiesController {
    constructor(private readonly teams: TeamsService) {}

    @Post()
    @Access('teams.updateEntities')
    @RespondsWith(201, TeamsShapes, 'entity')
    add(
      @PathId('teamId') teamId: number,
      @RequestBody(TeamsShapes, 'addEntity') input: TeamEntityInput,
    ): Promise<TeamEntityTie> {
      return this.teams.addEntity(teamId, kind, input.objectId);
    }

    @Delete(':objectId')
    @PathRecords({
      objectId: {
        name: 'Team entity',
        table: 'team_entities',
        key: 'object_id',
        owner: 'team_id',
        within: { parameter: 'teamId' },
        condition: `record.kind = '${kind}'`,
      },
    })
    @Access('teams.updateEntities')
    @NoContent()
    remove(@PathId('teamId') teamId: number, @PathId('objectId') objectId: number): Promise<void> {
      return this.teams.removeEntity(teamId, kind, objectId);
    }
  }
  // The interface description names operations after the class.
  const name = `Team${kind.charAt(0).toUpperCase()}${kind.slice(1)}Controller`;
  Object.defineProperty(TeamEntitiesController, 'name', { value: name });
  return TeamEntitiesController;
}

/** `POST …/teams/{teamId}/{kind}` and `DELETE …/teams/{teamId}/{kind}/{objectId}` for every kind. */
export const TEAM_ENTITIES_CONTROLLERS = TEAM_ENTITY_KINDS.map(teamEntitiesController);
