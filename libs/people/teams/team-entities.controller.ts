import { Controller, Delete, Post, type Type } from '@nestjs/common';
import { NoContent, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { TeamsShapes } from './shapes/teams.shapes';
import {
  ENTITY_WORDS,
  TEAM_ENTITY_KINDS,
  type TeamEntityInput,
  type TeamEntityKind,
  type TeamEntityTie,
} from './team.types';
import { TeamsService } from './teams.service';

/**
 * The routes of one kind of entity. Each kind has its own controller, so that the router refuses other kinds
 * and the interface description names each one.
 */
function teamEntitiesController(kind: TeamEntityKind): Type<object> {
  @Controller(`organisations/:organisationId/teams/:teamId/${kind}`)
  @PathRecords({ teamId: { name: 'Team', table: 'teams', within: 'organisationId' } })
  class TeamEntitiesController {
    constructor(private readonly teams: TeamsService) {}

    @Post()
    @Access('teams.updateEntities', `Put ${ENTITY_WORDS[kind]} into a team`)
    @RespondsWith(201, TeamsShapes, 'entity')
    add(
      @Ctx() caller: Caller,
      @PathId('teamId') teamId: number,
      @RequestBody(TeamsShapes, 'addEntity') input: TeamEntityInput,
    ): Promise<TeamEntityTie> {
      return this.teams.addEntity(caller, teamId, { kind, objectId: input.objectId });
    }

    @Delete(':objectId')
    @PathRecords({
      objectId: {
        name: 'Team entity',
        table: 'team_entities',
        key: 'object_id',
        within: 'teamId',
        condition: `record.kind = '${kind}'`,
      },
    })
    @Access('teams.updateEntities', `Take ${ENTITY_WORDS[kind]} out of a team`)
    @NoContent()
    remove(
      @Ctx() caller: Caller,
      @PathId('teamId') teamId: number,
      @PathId('objectId') objectId: number,
    ): Promise<void> {
      return this.teams.removeEntity(caller, teamId, { kind, objectId });
    }
  }
  // The interface description names operations after the class.
  const name = `Team${kind.charAt(0).toUpperCase()}${kind.slice(1)}Controller`;
  Object.defineProperty(TeamEntitiesController, 'name', { value: name });
  return TeamEntitiesController;
}

/** `POST …/teams/{teamId}/{kind}` and `DELETE …/teams/{teamId}/{kind}/{objectId}` for every kind. */
export const TEAM_ENTITIES_CONTROLLERS = TEAM_ENTITY_KINDS.map(teamEntitiesController);
