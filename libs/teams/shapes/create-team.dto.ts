import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { TeamInput } from '../team.types';
import { TEAM } from '@app/users/shapes/shared/team.properties';

/** Body of POST. */
class CreateTeamDto {
  @TextField({ max: 255, required: true, ...TEAM.name })
  name!: string;

  @BooleanField({ default: false, ...TEAM.autoAddSshkey })
  autoAddSshkey?: boolean;
}

export const createTeamShape = createShape(CreateTeamDto, (dto): EveryField<TeamInput> => ({
  name: dto.name,
  autoAddSshkey: dto.autoAddSshkey,
}));
