import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import type { TeamInput } from '../team.types';

/** Body of PUT. */
class UpdateTeamDto {
  @TextField({ max: 255, required: true, description: 'Unique in the organisation', example: 'Web' })
  name!: string;

  @BooleanField({ description: 'Whether SSH keys of members go on the systems of the team' })
  autoAddSshkey?: boolean;
}

export const updateTeamShape = updateShape(UpdateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));
