import { ApiProperty } from '@nestjs/swagger';
import { IdentifierField } from '@app/core/wire/fields';
import { creationShape, replyShape } from '@app/core/wire/shapes';
import type { Grant, NewGrant } from './acls.service';

/** Body of `POST …/acls`. */
class AclRequest {
  @IdentifierField({
    declaredAs: 'integer',
    required: true,
    description: 'The organisation to grant access to',
    example: 7,
  })
  organisation!: number;
}

class GranteeReply {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ example: 'Webbureau Jansen' })
  name!: string;
}

class AclReply {
  @ApiProperty({ type: 'integer', example: 21 })
  id!: number;

  @ApiProperty({ enum: ['organisation'] })
  object!: string;

  @ApiProperty({ type: 'integer', description: 'The organisation that grants', example: 3 })
  objectId!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  permissions!: null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  extra!: null;

  @ApiProperty({ enum: ['manual'] })
  type!: string;

  @ApiProperty({ type: GranteeReply, description: 'The organisation that may read' })
  organisation!: GranteeReply;
}

class AclAnswer {
  @ApiProperty({ type: AclReply })
  acl!: AclReply;
}

/** The request and response shapes of grants, whose routes exist in Variant B only. */
export class AclsShapes {
  /** Body of `POST …/acls`. */
  readonly creation = creationShape(AclRequest, (dto): NewGrant => ({ granteeId: dto.organisation }));

  /** Answer of `POST …/acls`. */
  readonly single = replyShape(AclAnswer, (grant: Grant): AclAnswer => ({
    acl: {
      id: grant.id,
      object: 'organisation',
      objectId: grant.organisationId,
      permissions: null,
      extra: null,
      type: 'manual',
      organisation: { id: grant.grantee.id, name: grant.grantee.name },
    },
  }));
}
