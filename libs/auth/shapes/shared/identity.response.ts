import { ApiProperty } from '@nestjs/swagger';
import { emailOf } from '@app/core/text/email-address';
import { fullNameOf } from '@app/core/text/person-name';
import type { Identity } from '../../auth.types';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** Who presents the credential. */
export class IdentityResponse {
  @ApiProperty(USER.id)
  userId!: number;

  @ApiProperty({ type: 'integer', description: 'Identifier of the organisation of the user', example: 12 })
  organisationId!: number;

  @ApiProperty(USER.username)
  username!: string;

  @ApiProperty(USER.fullname)
  name!: string;

  @ApiProperty(USER.email)
  email!: string;
}

export const toIdentityResponse = (identity: Identity): IdentityResponse => ({
  userId: identity.userId,
  organisationId: identity.organisationId,
  username: identity.username,
  name: fullNameOf(identity),
  email: emailOf(identity.username),
});
