import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { TeamInput } from '../team.types';

/** Body of POST. */
class CreateTeamDto {
  @TextField({ max: 255, required: true, description: 'Unique in the organisation', example: 'Web' })
  name!: string;

  @BooleanField({ default: false, description: 'Whether SSH keys of members go on the systems of the team' })
  autoAddSshkey?: boolean;
}

export const createTeamShape = createShape(CreateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));
