import { ApiProperty } from '@nestjs/swagger';
import type { TeamDetails, TeamMemberDetails } from '../team.types';
import { TeamEntitiesResponse, toTeamEntitiesResponse } from './team-entities.response';
import { OBJECT_OF, OBJECTS } from './team-entity.response';
import { USER } from '@app/organisations/shapes/shared/user.properties';
import { TEAM } from '@app/users/shapes/shared/team.properties';

class TeamUserResponse {
  @ApiProperty(USER.id)
  id!: number;

  @ApiProperty(USER.username)
  username!: string;

  @ApiProperty(USER.firstName)
  firstName!: string;

  @ApiProperty(USER.lastName)
  lastName!: string;

  @ApiProperty(USER.roles)
  roles!: string[];

  @ApiProperty(USER.status)
  status!: string;

  @ApiProperty({ description: 'Status of the membership, which takes effect at once', example: 'ok' })
  teamStatus!: string;

  @ApiProperty({ type: 'integer', example: 90, description: 'Identifier of the membership' })
  userHasTeamId!: number;
}

class TeamObjectResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the object in the register', example: 78 })
  objectId!: number;

  @ApiProperty({ enum: OBJECTS, description: 'What it is' })
  object!: string;
}

/** A team with its members and what it works on. */
export class TeamResponse {
  @ApiProperty(TEAM.id)
  id!: number;

  @ApiProperty(TEAM.name)
  name!: string;

  @ApiProperty({ description: 'Kept for the areas of the panel that act on it; no request sets it' })
  adminOnly!: boolean;

  @ApiProperty(TEAM.autoAddSshkey)
  autoAddSshkey!: boolean;

  @ApiProperty({ type: [TeamUserResponse], description: 'The members' })
  users!: TeamUserResponse[];

  @ApiProperty({ type: [TeamObjectResponse], description: 'What the team works on' })
  entities!: TeamObjectResponse[];

  @ApiProperty({ type: TeamEntitiesResponse, description: 'The same objects by kind, with their names' })
  teamEntities!: TeamEntitiesResponse;
}

/** Response of everything that gives one team. */
export class SingleTeamResponse {
  @ApiProperty({ type: TeamResponse, description: 'The team' })
  team!: TeamResponse;
}

/** Response of the list. */
export class TeamListResponse {
  @ApiProperty({ type: [TeamResponse], description: 'The teams of the page' })
  teams!: TeamResponse[];
}

const toTeamUserResponse = (user: TeamMemberDetails): TeamUserResponse => ({
  id: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  roles: [...user.roles],
  status: user.enabled ? 'ok' : 'deactivated',
  teamStatus: 'ok',
  userHasTeamId: user.membershipId,
});

export const toTeamResponse = (team: TeamDetails): TeamResponse => ({
  id: team.id,
  name: team.name,
  adminOnly: team.adminOnly,
  autoAddSshkey: team.autoAddSshkey,
  users: team.users.map(toTeamUserResponse),
  entities: team.entities.map(({ objectId, kind }) => ({ objectId, object: OBJECT_OF[kind] })),
  teamEntities: toTeamEntitiesResponse(team.entities),
});
