import { ApiProperty } from '@nestjs/swagger';
import { emailOf } from '@app/core/text/email-address';
import { fullNameOf } from '@app/core/text/person-name';
import type { Identity } from '../../auth.types';

/** Who presents the credential. */
export class IdentityResponse {
  @ApiProperty({ type: 'integer', example: 34 })
  userId!: number;

  @ApiProperty({ type: 'integer', example: 12 })
  organisationId!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  username!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  name!: string;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;
}

export const toIdentityResponse = (identity: Identity): IdentityResponse => ({
  userId: identity.userId,
  organisationId: identity.organisationId,
  username: identity.username,
  name: fullNameOf(identity),
  email: emailOf(identity.username),
});
