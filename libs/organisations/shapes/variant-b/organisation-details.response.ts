import { ApiProperty } from '@nestjs/swagger';
import type { OrganisationForReader } from '../../organisation.types';
import {
  CountryResponse,
  toCountryResponse,
  ResellerResponse,
  toResellerResponse,
  UserItemResponse,
  toUserItemResponse,
} from '../shared/organisation-parts.response';
import { ORGANISATION } from '../shared/organisation.properties';

/** An organisation, read by itself, the same for every reader. */
export class OrganisationDetailsResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;

  @ApiProperty(ORGANISATION.taxNumber)
  taxNumber!: string;

  @ApiProperty(ORGANISATION.mustPayTax)
  mustPayTax!: boolean;

  @ApiProperty(ORGANISATION.street)
  street!: string;

  @ApiProperty(ORGANISATION.houseNumber)
  houseNumber!: string;

  @ApiProperty(ORGANISATION.zip)
  zip!: string;

  @ApiProperty(ORGANISATION.city)
  city!: string;

  @ApiProperty({ type: CountryResponse, ...ORGANISATION.country })
  country!: CountryResponse | null;

  @ApiProperty({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  resellerOrganisation!: ResellerResponse | null;

  @ApiProperty({ type: [UserItemResponse], ...ORGANISATION.users })
  users!: UserItemResponse[];

  @ApiProperty({ type: String, ...ORGANISATION.remarksToPrintInvoice })
  remarksToPrintInvoice!: string | null;

  @ApiProperty(ORGANISATION.updateEntitiesOnly)
  updateEntitiesOnly!: boolean;

  @ApiProperty(ORGANISATION.preventDeactivation)
  preventDeactivation!: boolean;
}

export function toOrganisationDetailsResponse({
  organisation,
}: OrganisationForReader): OrganisationDetailsResponse {
  return {
    id: organisation.id,
    name: organisation.name,
    taxNumber: organisation.taxNumber,
    mustPayTax: organisation.mustPayTax,
    street: organisation.street,
    houseNumber: organisation.houseNumber,
    zip: organisation.zip,
    city: organisation.city,
    country: toCountryResponse(organisation.countryCode),
    resellerOrganisation: toResellerResponse(organisation.reseller),
    users: organisation.users.map(toUserItemResponse),
    remarksToPrintInvoice: organisation.remarksToPrintInvoice,
    updateEntitiesOnly: organisation.updateEntitiesOnly,
    preventDeactivation: organisation.preventDeactivation,
  };
}
