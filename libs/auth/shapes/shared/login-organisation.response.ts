import { ApiProperty } from '@nestjs/swagger';
import {
  ResellerResponse,
  toResellerResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import { OrganisationTypeOfUserResponse } from '@app/users/shapes/shared/organisation-of-user.response';
import type { OrganisationOfUser } from '@app/users/user.types';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';

/** The organisation of the user who logged in. */
export class LoginOrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;

  @ApiProperty(ORGANISATION.street)
  street!: string;

  @ApiProperty(ORGANISATION.houseNumber)
  houseNumber!: string;

  @ApiProperty(ORGANISATION.zip)
  zip!: string;

  @ApiProperty(ORGANISATION.city)
  city!: string;

  @ApiProperty({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  reseller!: ResellerResponse | null;

  @ApiProperty({ type: OrganisationTypeOfUserResponse, ...ORGANISATION.organisationType })
  organisationType!: OrganisationTypeOfUserResponse;

  @ApiProperty(ORGANISATION.updateEntitiesOnly)
  updateEntitiesOnly!: boolean;

  @ApiProperty(ORGANISATION.prePaymentRequired)
  prePaymentRequired!: boolean;

  @ApiProperty({ type: 'integer', enum: [0, 1, 2], ...ORGANISATION.externalInfoRequired })
  externalInfoRequired!: number;

  @ApiProperty({ type: 'integer', ...ORGANISATION.agencyMode })
  agencyMode!: number;
}

export const toLoginOrganisationResponse = (organisation: OrganisationOfUser): LoginOrganisationResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  reseller: toResellerResponse(organisation.reseller),
  organisationType: { identifier: organisation.organisationType },
  updateEntitiesOnly: organisation.updateEntitiesOnly,
  prePaymentRequired: organisation.prePaymentRequired,
  externalInfoRequired: organisation.externalInfoRequired,
  agencyMode: organisation.agencyMode,
});
