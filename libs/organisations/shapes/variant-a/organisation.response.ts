import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { OrganisationDetails, OrganisationForReader } from '../../organisation.types';
import {
  CountryResponse,
  toCountryResponse,
  ResellerResponse,
  toResellerResponse,
  UserItemResponse,
  toUserItemResponse,
} from '../shared/organisation-parts.response';

class OrganisationTypeResponse {
  @ApiProperty({ example: '1' })
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  identifier!: number;

  @ApiProperty({ example: 'Customer' })
  description!: string;
}

class PriceGroupResponse {
  @ApiProperty({ example: '1' })
  id!: string;

  @ApiProperty({ example: 'default' })
  description!: string;
}

/** An organisation. The last nine fields are answered to admins only. */
export class OrganisationResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;

  @ApiProperty({ example: 'NL001234567B01' })
  taxNumber!: string;

  @ApiProperty({ default: true, description: 'Whether tax is added to the invoice price' })
  mustPayTax!: boolean;

  @ApiProperty({ type: String, nullable: true })
  remarksToPrintInvoice!: string | null;

  @ApiProperty({
    default: false,
    description: 'Users of sub-organisations with true can not create or delete entities',
  })
  updateEntitiesOnly!: boolean;

  @ApiProperty({ default: true })
  preventDeactivation!: boolean;

  @ApiProperty({ description: 'Id of the parent; empty for the operator organisation', example: '1' })
  parentOrganisation!: string;

  @ApiProperty({ type: 'integer', enum: [0, 1, 2] })
  externalInfoRequired!: number;

  @ApiProperty({ description: 'Unix seconds; empty when no run is planned', example: '1767225600' })
  nextInvoiceRun!: string;

  @ApiProperty({ description: 'Whether its users must log in with a second factor' })
  required2fa!: boolean;

  @ApiProperty({ type: 'integer', default: 0 })
  agencyMode!: number;

  @ApiProperty({ default: false })
  bundleProRata!: boolean;

  @ApiProperty()
  testAccount!: boolean;

  @ApiProperty({ type: String, nullable: true })
  beforeFirstOrder!: string | null;

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

  @ApiProperty({ type: OrganisationTypeResponse })
  organisationType!: OrganisationTypeResponse;

  @ApiProperty({ type: String, nullable: true })
  source1!: string | null;

  @ApiProperty({ type: String, nullable: true })
  source2!: string | null;

  @ApiProperty({ description: 'Whether invoices are sent as PDF attachments' })
  pdfInvoice!: boolean;

  @ApiProperty()
  peppolInvoicing!: boolean;

  @ApiProperty()
  isSoft!: boolean;

  @ApiProperty({ type: String, nullable: true })
  information!: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  externalId?: string | null;

  @ApiPropertyOptional({ type: 'integer', enum: [0, 30, 60, 90], default: 30, description: 'Days' })
  paymentperiod?: number;

  @ApiPropertyOptional({ type: 'integer', nullable: true, description: 'Commission, 100 = 1%' })
  resellerKickback?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, description: 'Commission, 100 = 1%' })
  defaultResellerKickback?: number | null;

  @ApiPropertyOptional()
  discount?: string;

  @ApiPropertyOptional()
  prePaymentRequired?: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'integer' } })
  defaultAgreements?: Record<string, number>;

  @ApiPropertyOptional({ type: [UserItemResponse] })
  users?: UserItemResponse[];

  @ApiPropertyOptional({ type: PriceGroupResponse })
  pricegroup?: PriceGroupResponse;
}

/** The organisation as its reader may see it: all of it for an admin, the reduced set for anybody else. */
export function toOrganisationResponse({
  organisation,
  readByAdmin,
}: OrganisationForReader): OrganisationResponse {
  const reduced = toReducedResponse(organisation);
  // Not by spreading both: that gives each of these many-field objects a layout of its own, which costs more time
  // and memory than all the rest of a list.
  return readByAdmin ? Object.assign(reduced, adminFields(organisation)) : reduced;
}

function toReducedResponse(organisation: OrganisationDetails): OrganisationResponse {
  return {
    id: organisation.id,
    name: organisation.name,
    taxNumber: organisation.taxNumber,
    mustPayTax: organisation.mustPayTax,
    remarksToPrintInvoice: organisation.remarksToPrintInvoice,
    updateEntitiesOnly: organisation.updateEntitiesOnly,
    preventDeactivation: organisation.preventDeactivation,
    parentOrganisation: organisation.parentId === null ? '' : String(organisation.parentId),
    externalInfoRequired: organisation.externalInfoRequired,
    nextInvoiceRun: organisation.nextInvoiceRun === null ? '' : String(organisation.nextInvoiceRun),
    required2fa: organisation.required2fa,
    agencyMode: organisation.agencyMode,
    bundleProRata: organisation.bundleProRata,
    testAccount: organisation.testAccount,
    beforeFirstOrder: organisation.beforeFirstOrder,
    street: organisation.street,
    houseNumber: organisation.houseNumber,
    zip: organisation.zip,
    city: organisation.city,
    country: toCountryResponse(organisation.countryCode),
    resellerOrganisation: toResellerResponse(organisation.reseller),
    organisationType: {
      id: String(organisation.organisationType),
      identifier: organisation.organisationType,
      description: organisation.typeDescription,
    },
    source1: organisation.source1,
    source2: organisation.source2,
    pdfInvoice: organisation.pdfInvoice,
    peppolInvoicing: organisation.peppolInvoicing,
    isSoft: organisation.isSoft,
    information: organisation.information,
  };
}

function adminFields(organisation: OrganisationDetails): Partial<OrganisationResponse> {
  return {
    externalId: organisation.externalId,
    paymentperiod: organisation.paymentPeriod,
    resellerKickback: organisation.resellerKickback,
    defaultResellerKickback: organisation.defaultResellerKickback,
    discount: organisation.discount,
    prePaymentRequired: organisation.prePaymentRequired,
    defaultAgreements: organisation.defaultAgreements,
    users: organisation.users.map(toUserItemResponse),
    pricegroup: { id: String(organisation.priceGroupId), description: organisation.priceGroupDescription },
  };
}
