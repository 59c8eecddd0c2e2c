import { ApiProperty } from '@nestjs/swagger';
import {
  ResellerResponse,
  toResellerResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import type { OrganisationOfUser } from '../../user.types';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';

/** The type of a user's organisation. */
export class OrganisationTypeOfUserResponse {
  @ApiProperty({ type: 'integer', description: '1 Customer, 2 Reseller, 3 Operator', example: 1 })
  identifier!: number;
}

/** The organisation of a user, except in the response of a login. */
export class OrganisationOfUserResponse {
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
}

export const toOrganisationOfUserResponse = (
  organisation: OrganisationOfUser,
): OrganisationOfUserResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  reseller: toResellerResponse(organisation.reseller),
  organisationType: { identifier: organisation.organisationType },
});
