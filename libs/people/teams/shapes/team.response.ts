import { USER } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { TEAM } from '@app/people/users/shapes/shared/user-parts.response';
import { ResponseField } from '@app/platform/dto/shapes';
import type { TeamDetails } from '../team.columns';
import type { TeamMemberDetails } from '../team.types';
import { OBJECT_OF, OBJECTS, TeamEntitiesResponse, toTeamEntitiesResponse } from './team-entities.response';

class TeamUserResponse {
  @ResponseField(USER.id) id!: number;
  @ResponseField(USER.username) username!: string;
  @ResponseField(USER.firstName) firstName!: string;
  @ResponseField(USER.lastName) lastName!: string;
  @ResponseField(USER.roles) roles!: string[];
  @ResponseField(USER.status) status!: string;

  @ResponseField({ description: 'Status of the membership, which takes effect at once', example: 'ok' })
  teamStatus!: string;

  @ResponseField({ type: 'integer', example: 90, description: 'Identifier of the membership' })
  userHasTeamId!: number;
}

class TeamObjectResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the object in the register', example: 78 })
  objectId!: number;

  @ResponseField({ enum: OBJECTS, description: 'What it is' }) object!: string;
}

/** A team with its members and entities. */
export class TeamResponse {
  @ResponseField(TEAM.id) id!: number;
  @ResponseField(TEAM.name) name!: string;

  @ResponseField({
    type: 'boolean',
    description: 'Kept for the areas of the panel that act on it; no request sets it',
  })
  adminOnly!: boolean;

  @ResponseField(TEAM.autoAddSshkey) autoAddSshkey!: boolean;
  @ResponseField({ type: [TeamUserResponse], description: 'The members' }) users!: TeamUserResponse[];

  @ResponseField({ type: [TeamObjectResponse], description: 'What the team works on' })
  entities!: TeamObjectResponse[];

  @ResponseField({ type: TeamEntitiesResponse, description: 'The same objects by kind, with their names' })
  teamEntities!: TeamEntitiesResponse;
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
