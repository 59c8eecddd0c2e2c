import { BooleanField, IdentifierField, TextField } from '@app/core/wire/fields';
import { changeShape, creationShape } from '@app/core/wire/shapes';
import type { TeamInput } from '../team.values';

/** Body of POST and PUT. */
export class TeamRequest {
  @TextField({ max: 255, required: true, description: 'Unique in the organisation', example: 'Web' })
  name!: string;

  @BooleanField({ default: false, description: 'Whether SSH keys of members go on the systems of the team' })
  autoAddSshkey?: boolean;
}

/** Body of `POST …/teams/{teamId}/{apps|domains|mailgroups|systems}`. */
export class TeamEntityRequest {
  @IdentifierField({ declaredAs: 'integer', required: true, example: 78 })
  objectId!: number;
}

const teamInput = (dto: TeamRequest): TeamInput => ({ name: dto.name, autoAddSshkey: dto.autoAddSshkey });

export const creationShapeOfTeam = creationShape(TeamRequest, teamInput);

export const changeShapeOfTeam = changeShape(TeamRequest, teamInput);
