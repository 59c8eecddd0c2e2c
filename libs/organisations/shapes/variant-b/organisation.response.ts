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

/** An organisation in lists and after creation, the same for every reader. */
export class OrganisationResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;

  @ApiProperty({ example: 'NL001234567B01' })
  taxNumber!: string;

  @ApiProperty({ default: true, description: 'Whether tax is added to the invoice price' })
  mustPayTax!: boolean;

  @ApiProperty({ example: 'Dorpsstraat' })
  street!: string;

  @ApiProperty({ example: '12a' })
  houseNumber!: string;

  @ApiProperty({ example: '1234 AB' })
  zip!: string;

  @ApiProperty({ example: 'Utrecht' })
  city!: string;

  @ApiProperty({ type: CountryResponse, nullable: true })
  country!: CountryResponse | null;

  @ApiProperty({ type: ResellerResponse, nullable: true })
  resellerOrganisation!: ResellerResponse | null;

  @ApiProperty({ type: [UserItemResponse] })
  users!: UserItemResponse[];

  @ApiProperty({ type: String, nullable: true })
  remarksToPrintInvoice!: string | null;

  @ApiProperty({
    default: false,
    description: 'Users of sub-organisations with true can not create or delete entities',
  })
  updateEntitiesOnly!: boolean;
}

export function toOrganisationResponse({ organisation }: OrganisationForReader): OrganisationResponse {
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
  };
}
