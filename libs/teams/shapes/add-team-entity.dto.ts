import { IdentifierField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { TeamEntityInput } from '../team.types';

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
