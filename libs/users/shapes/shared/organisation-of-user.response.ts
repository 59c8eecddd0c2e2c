import { ApiProperty } from '@nestjs/swagger';
import {
  ResellerResponse,
  toResellerResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import type { OrganisationOfUser } from '../../user.types';

/** The type of a user's organisation. */
export class OrganisationTypeOfUserResponse {
  @ApiProperty({ type: 'integer', example: 1 })
  identifier!: number;
}

/** The organisation of a user, except in the response of a login. */
export class OrganisationOfUserResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;

  @ApiProperty()
  street!: string;

  @ApiProperty()
  houseNumber!: string;

  @ApiProperty()
  zip!: string;

  @ApiProperty()
  city!: string;

  @ApiProperty({ type: ResellerResponse, nullable: true })
  reseller!: ResellerResponse | null;

  @ApiProperty({ type: OrganisationTypeOfUserResponse })
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
