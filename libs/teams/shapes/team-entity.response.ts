import { ApiProperty } from '@nestjs/swagger';
import { TEAM_ENTITY_KINDS, type TeamEntityTie, type TeamEntityKind } from '../team.types';

/** The class of the object, in the singular as acls name theirs. */
export const OBJECT_OF: Readonly<Record<TeamEntityKind, string>> = {
  apps: 'app',
  domains: 'domain',
  mailgroups: 'mailgroup',
  systems: 'system',
};

export const OBJECTS = TEAM_ENTITY_KINDS.map((kind) => OBJECT_OF[kind]);

/** An app, domain, mail group or system of a team. */
export class TeamEntityResponse {
  @ApiProperty({ type: 'integer', example: 91, description: 'Identifier of the tie between team and object' })
  id!: number;

  @ApiProperty({ enum: OBJECTS, description: 'What it is' })
  object!: string;

  @ApiProperty({ type: 'integer', description: 'Identifier of the object in the register', example: 78 })
  objectId!: number;
}

/** Response to an app, domain, mail group or system put into a team. */
export class SingleTeamEntityResponse {
  @ApiProperty({ type: TeamEntityResponse, description: 'The tie between team and object' })
  entity!: TeamEntityResponse;
}

export const toTeamEntityResponse = (entity: TeamEntityTie): TeamEntityResponse => ({
  id: entity.id,
  object: OBJECT_OF[entity.kind],
  objectId: entity.objectId,
});
