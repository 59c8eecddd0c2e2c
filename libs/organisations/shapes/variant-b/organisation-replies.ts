import { ApiProperty } from '@nestjs/swagger';
import type { OrganisationDetails } from '../../organisation.values';
import {
  CountryReply,
  countryReply,
  ResellerReply,
  resellerReply,
  UserItemReply,
  userItemReply,
} from '../parts';

/** An organisation in Variant B: in lists and after creation, the same for every reader. */
export class OrganisationReplyB {
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

  @ApiProperty({ type: CountryReply, nullable: true })
  country!: CountryReply | null;

  @ApiProperty({ type: ResellerReply, nullable: true })
  resellerOrganisation!: ResellerReply | null;

  @ApiProperty({ type: [UserItemReply] })
  users!: UserItemReply[];

  @ApiProperty({ type: String, nullable: true })
  remarksToPrintInvoice!: string | null;

  @ApiProperty({
    default: false,
    description: 'Users of sub-organisations with true can not create or delete entities',
  })
  updateEntitiesOnly!: boolean;
}

/** An organisation in Variant B, read by itself. */
export class SingleOrganisationReplyB extends OrganisationReplyB {
  @ApiProperty({ default: true })
  preventDeactivation!: boolean;
}

export const organisationReplyB = (organisation: OrganisationDetails): OrganisationReplyB => ({
  id: organisation.id,
  name: organisation.name,
  taxNumber: organisation.taxNumber,
  mustPayTax: organisation.mustPayTax,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: countryReply(organisation.countryCode),
  resellerOrganisation: resellerReply(organisation.reseller),
  users: organisation.users.map(userItemReply),
  remarksToPrintInvoice: organisation.remarksToPrintInvoice,
  updateEntitiesOnly: organisation.updateEntitiesOnly,
});

export const singleOrganisationReplyB = (organisation: OrganisationDetails): SingleOrganisationReplyB => ({
  ...organisationReplyB(organisation),
  preventDeactivation: organisation.preventDeactivation,
});
