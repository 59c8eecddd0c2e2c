import { ApiProperty } from '@nestjs/swagger';
import {
  ResellerResponse,
  toResellerResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import { OrganisationTypeOfUserResponse } from '@app/users/shapes/shared/organisation-of-user.response';
import type { OrganisationOfUser } from '@app/users/user.types';

/** The organisation of the user who logged in. */
export class LoginOrganisationResponse {
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

  @ApiProperty()
  updateEntitiesOnly!: boolean;

  @ApiProperty()
  prePaymentRequired!: boolean;

  @ApiProperty({ type: 'integer', enum: [0, 1, 2] })
  externalInfoRequired!: number;

  @ApiProperty({ type: 'integer', default: 0 })
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
