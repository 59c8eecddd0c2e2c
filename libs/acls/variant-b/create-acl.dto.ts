import { IdentifierField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { NewGrant } from './acl.types';

/** Body of `POST …/acls`. */
class CreateAclDto {
  @IdentifierField({
    declaredAs: 'integer',
    required: true,
    description: 'The organisation to grant access to',
    example: 7,
  })
  organisation!: number;
}

export const createAclShape = createShape(CreateAclDto, (dto): NewGrant => ({ granteeId: dto.organisation }));
