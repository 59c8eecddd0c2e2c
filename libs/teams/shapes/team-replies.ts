import { ApiProperty } from '@nestjs/swagger';
import { listShape, type ListShape } from '@app/core/wire/shapes';
import {
  TEAM_ENTITY_KINDS,
  type TeamDetails,
  type TeamEntityDetails,
  type TeamEntityKind,
  type TeamMemberDetails,
  type TeamOrder,
} from '../team.values';
import { TeamEntitiesReply, teamEntitiesReply } from './team-entities-reply';

/** The class of the object, in the singular as acls name theirs. */
const OBJECT_OF: Readonly<Record<TeamEntityKind, string>> = {
  apps: 'app',
  domains: 'domain',
  mailgroups: 'mailgroup',
  systems: 'system',
};

const OBJECTS = TEAM_ENTITY_KINDS.map((kind) => OBJECT_OF[kind]);

class TeamUserReply {
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

class TeamObjectReply {
  @ApiProperty({ type: 'integer', example: 78 })
  objectId!: number;

  @ApiProperty({ enum: OBJECTS })
  object!: string;
}

class TeamReply {
  @ApiProperty({ type: 'integer', example: 5 })
  id!: number;

  @ApiProperty({ example: 'Web' })
  name!: string;

  @ApiProperty()
  adminOnly!: boolean;

  @ApiProperty()
  autoAddSshkey!: boolean;

  @ApiProperty({ type: [TeamUserReply] })
  users!: TeamUserReply[];

  @ApiProperty({ type: [TeamObjectReply] })
  entities!: TeamObjectReply[];

  @ApiProperty({ type: TeamEntitiesReply, description: 'The same entities by kind, with their names' })
  teamEntities!: TeamEntitiesReply;
}

class TeamEntityReply {
  @ApiProperty({ type: 'integer', example: 91, description: 'Id of the tie between team and object' })
  id!: number;

  @ApiProperty({ enum: OBJECTS })
  object!: string;

  @ApiProperty({ type: 'integer', example: 78 })
  objectId!: number;
}

/** Answer of everything that gives one team. */
export class TeamAnswer {
  @ApiProperty({ type: TeamReply })
  team!: TeamReply;
}

/** Answer to an app, domain, mail group or system put into a team. */
export class TeamEntityAnswer {
  @ApiProperty({ type: TeamEntityReply })
  entity!: TeamEntityReply;
}

class TeamListAnswer {
  @ApiProperty({ type: [TeamReply] })
  teams!: TeamReply[];
}

const teamUserReply = (user: TeamMemberDetails): TeamUserReply => ({
  id: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  roles: [...user.roles],
  status: user.enabled ? 'ok' : 'deactivated',
  teamStatus: 'ok',
  userHasTeamId: user.membershipId,
});

export const teamReply = (team: TeamDetails): TeamReply => ({
  id: team.id,
  name: team.name,
  adminOnly: team.adminOnly,
  autoAddSshkey: team.autoAddSshkey,
  users: team.users.map(teamUserReply),
  entities: team.entities.map(({ objectId, kind }) => ({ objectId, object: OBJECT_OF[kind] })),
  teamEntities: teamEntitiesReply(team.entities),
});

export const teamEntityReply = (entity: TeamEntityDetails): TeamEntityReply => ({
  id: entity.id,
  object: OBJECT_OF[entity.kind],
  objectId: entity.objectId,
});

/** The list of teams: the same items in both variants; only Variant A has `tag`. */
export const teamListShape = ({ tag }: { tag: boolean }): ListShape<TeamDetails, TeamOrder> =>
  listShape<TeamDetails, TeamListAnswer, TeamOrder>(
    TeamListAnswer,
    {
      orderBy: { id: 'id', name: 'name', adminOnly: 'adminOnly', autoAddSshkey: 'autoAddSshkey' },
      search: {},
      tag,
    },
    (page) => ({ teams: page.items.map(teamReply) }),
  );
