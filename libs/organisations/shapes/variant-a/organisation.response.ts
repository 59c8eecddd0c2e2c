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
import { ORGANISATION } from '../shared/organisation.properties';

class OrganisationTypeResponse {
  @ApiProperty({ description: 'The identifier as text', example: '1' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'What requests name the type with', example: 1 })
  identifier!: number;

  @ApiProperty({ description: 'Customer, Reseller or Operator', example: 'Customer' })
  description!: string;
}

class PriceGroupResponse {
  @ApiProperty({ description: 'What requests name the price group with', example: '1' })
  id!: string;

  @ApiProperty({ description: 'Name of the price group', example: 'default' })
  description!: string;
}

/** An organisation. The last nine fields are answered to admins only. */
export class OrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;

  @ApiProperty(ORGANISATION.taxNumber)
  taxNumber!: string;

  @ApiProperty(ORGANISATION.mustPayTax)
  mustPayTax!: boolean;

  @ApiProperty({ type: String, ...ORGANISATION.remarksToPrintInvoice })
  remarksToPrintInvoice!: string | null;

  @ApiProperty(ORGANISATION.updateEntitiesOnly)
  updateEntitiesOnly!: boolean;

  @ApiProperty(ORGANISATION.preventDeactivation)
  preventDeactivation!: boolean;

  @ApiProperty(ORGANISATION.parentOrganisation)
  parentOrganisation!: string;

  @ApiProperty({ type: 'integer', enum: [0, 1, 2], ...ORGANISATION.externalInfoRequired })
  externalInfoRequired!: number;

  @ApiProperty(ORGANISATION.nextInvoiceRun)
  nextInvoiceRun!: string;

  @ApiProperty(ORGANISATION.required2fa)
  required2fa!: boolean;

  @ApiProperty({ type: 'integer', ...ORGANISATION.agencyMode })
  agencyMode!: number;

  @ApiProperty(ORGANISATION.bundleProRata)
  bundleProRata!: boolean;

  @ApiProperty(ORGANISATION.testAccount)
  testAccount!: boolean;

  @ApiProperty({ type: String, ...ORGANISATION.beforeFirstOrder })
  beforeFirstOrder!: string | null;

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

  @ApiProperty({ type: OrganisationTypeResponse, ...ORGANISATION.organisationType })
  organisationType!: OrganisationTypeResponse;

  @ApiProperty({ type: String, ...ORGANISATION.source1 })
  source1!: string | null;

  @ApiProperty({ type: String, ...ORGANISATION.source2 })
  source2!: string | null;

  @ApiProperty(ORGANISATION.pdfInvoice)
  pdfInvoice!: boolean;

  @ApiProperty(ORGANISATION.peppolInvoicing)
  peppolInvoicing!: boolean;

  @ApiProperty(ORGANISATION.isSoft)
  isSoft!: boolean;

  @ApiProperty({ type: String, ...ORGANISATION.information })
  information!: string | null;

  @ApiPropertyOptional({ type: String, ...ORGANISATION.externalId })
  externalId?: string | null;

  @ApiPropertyOptional({ type: 'integer', ...ORGANISATION.paymentperiod })
  paymentperiod?: number;

  @ApiPropertyOptional({ type: 'integer', ...ORGANISATION.resellerKickback })
  resellerKickback?: number | null;

  @ApiPropertyOptional({ type: 'integer', ...ORGANISATION.defaultResellerKickback })
  defaultResellerKickback?: number | null;

  @ApiPropertyOptional(ORGANISATION.discount)
  discount?: string;

  @ApiPropertyOptional(ORGANISATION.prePaymentRequired)
  prePaymentRequired?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    ...ORGANISATION.defaultAgreements,
  })
  defaultAgreements?: Record<string, number>;

  @ApiPropertyOptional({ type: [UserItemResponse], ...ORGANISATION.users })
  users?: UserItemResponse[];

  @ApiPropertyOptional({ type: PriceGroupResponse, ...ORGANISATION.pricegroup })
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
