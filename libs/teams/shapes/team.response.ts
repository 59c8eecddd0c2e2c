import { ApiProperty } from '@nestjs/swagger';
import type { TeamDetails, TeamMemberDetails } from '../team.types';
import { TeamEntitiesResponse, toTeamEntitiesResponse } from './team-entities.response';
import { OBJECT_OF, OBJECTS } from './team-entity.response';

class TeamUserResponse {
  @ApiProperty({ type: 'integer', example: 34 })
  id!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  username!: string;

  @ApiProperty({ example: 'Jan' })
  firstName!: string;

  @ApiProperty({ example: 'de Vries' })
  lastName!: string;

  @ApiProperty({ type: [String], example: ['ROLE_SYSTEM'] })
  roles!: string[];

  @ApiProperty({ example: 'ok', description: 'Of the user' })
  status!: string;

  @ApiProperty({ example: 'ok', description: 'Of the membership, which takes effect at once' })
  teamStatus!: string;

  @ApiProperty({ type: 'integer', example: 90, description: 'Id of the membership' })
  userHasTeamId!: number;
}

class TeamObjectResponse {
  @ApiProperty({ type: 'integer', example: 78 })
  objectId!: number;

  @ApiProperty({ enum: OBJECTS })
  object!: string;
}

/** A team with its members and what it works on. */
export class TeamResponse {
  @ApiProperty({ type: 'integer', example: 5 })
  id!: number;

  @ApiProperty({ example: 'Web' })
  name!: string;

  @ApiProperty()
  adminOnly!: boolean;

  @ApiProperty()
  autoAddSshkey!: boolean;

  @ApiProperty({ type: [TeamUserResponse] })
  users!: TeamUserResponse[];

  @ApiProperty({ type: [TeamObjectResponse] })
  entities!: TeamObjectResponse[];

  @ApiProperty({ type: TeamEntitiesResponse, description: 'The same entities by kind, with their names' })
  teamEntities!: TeamEntitiesResponse;
}

/** Response of everything that gives one team. */
export class SingleTeamResponse {
  @ApiProperty({ type: TeamResponse })
  team!: TeamResponse;
}

/** Response of the list. */
export class TeamListResponse {
  @ApiProperty({ type: [TeamResponse] })
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
