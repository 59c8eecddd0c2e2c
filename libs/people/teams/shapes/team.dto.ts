import { TEAM } from '@app/people/users/shapes/shared/user-parts.response';
import { BooleanField, IdentifierField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, updateShape } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import type { TeamEntityInput, TeamInput } from '../team.types';

/** Body of POST. */
class CreateTeamDto {
  @TextField({ max: 255, required: true, rules: NAME_RULES, ...TEAM.name }) name!: string;
  @BooleanField({ default: false, ...TEAM.autoAddSshkey }) autoAddSshkey?: boolean;
}

export const createTeamShape = createShape(CreateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));

/** Body of PUT. */
class UpdateTeamDto {
  @TextField({ max: 255, required: true, ...TEAM.name }) name!: string;
  @BooleanField({ ...TEAM.autoAddSshkey }) autoAddSshkey?: boolean;
}

export const updateTeamShape = updateShape(UpdateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));

/** Body of `POST …/teams/{teamId}/{apps|domains|mailgroups|systems}`. */
class AddTeamEntityDto {
  @IdentifierField({
    declaredAs: 'integer',
    required: true,
    description:
      'Identifier of the registered app, domain, mail group or system, which the organisation owns or was granted',
    example: 78,
  })
  objectId!: number;
}

export const addTeamEntityShape = createShape(AddTeamEntityDto, (dto): TeamEntityInput => ({
  objectId: dto.objectId,
}));
