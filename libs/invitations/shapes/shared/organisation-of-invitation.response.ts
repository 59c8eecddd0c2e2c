import { ApiProperty } from '@nestjs/swagger';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';

/** The organisation that somebody is invited to. */
export class OrganisationOfInvitationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;
}
