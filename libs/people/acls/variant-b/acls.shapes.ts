import { IdentifierField } from '@app/platform/dto/field.decorators';
import { createShape, ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { ACL_COLUMNS, type Grant, type NewAcl } from './acl.queries';

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

const createAclShape = createShape(CreateAclDto, (dto): NewAcl => ({ granteeId: dto.organisation }));

class GranteeResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the organisation that may read', example: 7 })
  id!: number;

  @ResponseField({
    description: 'Its name; empty where the reader may not read the organisation',
    example: 'Webbureau Jansen',
  })
  name!: string;
}

class AclResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the grant', example: 21 }) id!: number;

  @ResponseField({ enum: ['organisation'], description: 'What is granted: access to an organisation' })
  object!: string;

  @ResponseField({ type: 'integer', description: 'Identifier of the organisation that grants', example: 3 })
  objectId!: number;

  @ResponseField({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  permissions!: object | null;

  @ResponseField({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  extra!: object | null;

  @ResponseField({ enum: ['manual'], description: 'How the grant came about: somebody gave it' })
  type!: string;

  @ResponseField({ type: GranteeResponse, description: 'The organisation that may read' })
  organisation!: GranteeResponse;
}

const toAclResponse = (grant: Grant): AclResponse => ({
  id: grant.id,
  object: 'organisation',
  objectId: grant.organisationId,
  permissions: null,
  extra: null,
  type: 'manual',
  organisation: { id: grant.grantee.id, name: grant.grantee.name },
});

export class AclsShapes {
  readonly create = createAclShape;
  readonly single = singleOf('acl', AclResponse, toAclResponse, { description: 'The grant' });
  readonly list = listOf('acls', ACL_COLUMNS, AclResponse, toAclResponse, {
    // Object and type are the same for all grants, so `id` orders them.
    orders: { object: 'id', objectId: 'organisationId', type: 'id' },
    description: 'Grants that the organisation gave and grants that it has',
  });
}
