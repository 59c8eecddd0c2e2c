import { ApiProperty } from '@nestjs/swagger';

/** The organisation that somebody is invited to. */
export class OrganisationOfInvitationResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;
}
