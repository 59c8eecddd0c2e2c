import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { updateShape, type EveryField } from '@app/core/wire/shapes';
import type { TeamInput } from '../team.types';
import { TEAM } from '@app/users/shapes/shared/team.properties';

/** Body of PUT. */
class UpdateTeamDto {
  @TextField({ max: 255, required: true, ...TEAM.name })
  name!: string;

  @BooleanField({ ...TEAM.autoAddSshkey })
  autoAddSshkey?: boolean;
}

export const updateTeamShape = updateShape(UpdateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));
