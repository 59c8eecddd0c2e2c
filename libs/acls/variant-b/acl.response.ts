import { ApiProperty } from '@nestjs/swagger';
import type { Grant } from './acl.types';

class GranteeResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the organisation that may read', example: 7 })
  id!: number;

  @ApiProperty({ description: 'Its name', example: 'Webbureau Jansen' })
  name!: string;
}

/** A grant. */
export class AclResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the grant', example: 21 })
  id!: number;

  @ApiProperty({ enum: ['organisation'], description: 'What is granted: access to an organisation' })
  object!: string;

  @ApiProperty({ type: 'integer', description: 'Identifier of the organisation that grants', example: 3 })
  objectId!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  permissions!: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Always null' })
  extra!: object | null;

  @ApiProperty({ enum: ['manual'], description: 'How the grant came about: somebody gave it' })
  type!: string;

  @ApiProperty({ type: GranteeResponse, description: 'The organisation that may read' })
  organisation!: GranteeResponse;
}

/** Response of `POST …/acls`. */
export class SingleAclResponse {
  @ApiProperty({ type: AclResponse, description: 'The grant' })
  acl!: AclResponse;
}

/** Response of the list. */
export class AclListResponse {
  @ApiProperty({
    type: [AclResponse],
    description: 'Grants that the organisation gave and grants that it has',
  })
  acls!: AclResponse[];
}

export const toAclResponse = (grant: Grant): AclResponse => ({
  id: grant.id,
  object: 'organisation',
  objectId: grant.organisationId,
  permissions: null,
  extra: null,
  type: 'manual',
  organisation: { id: grant.grantee.id, name: grant.grantee.name },
});
