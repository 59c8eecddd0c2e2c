import { ResponseField, RestrictedField } from '@app/platform/dto/shapes';
import type { OrganisationDetails, OrganisationForReader, SubOrganisation } from '../../organisation.columns';
import { statusCategory } from '../../status';
import {
  CountryResponse,
  ORGANISATION,
  ResellerResponse,
  SubOrganisationAddressResponse,
  SubOrganisationUserResponse as SharedUserResponse,
  toCountryResponse,
  toResellerResponse,
  toSubOrganisationAddress,
  toSubOrganisationUser,
  toUserItemResponse,
  USER,
  UserItemResponse,
} from '../shared/organisation-parts.response';

class OrganisationTypeResponse {
  @ResponseField({ description: 'The identifier as text', example: '1' }) id!: string;

  @ResponseField({ type: 'integer', description: 'What requests name the type with', example: 1 })
  identifier!: number;

  @ResponseField({ description: 'Customer, Reseller or Operator', example: 'Customer' }) description!: string;
}

class PriceGroupResponse {
  @ResponseField({ description: 'What requests name the price group with', example: '1' }) id!: string;
  @ResponseField({ description: 'Name of the price group', example: 'default' }) description!: string;
}

/** An organisation. Only admins get the last nine fields. */
export class OrganisationResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
  @ResponseField(ORGANISATION.taxNumber) taxNumber!: string;
  @ResponseField(ORGANISATION.mustPayTax) mustPayTax!: boolean;
  @ResponseField({ type: 'string', ...ORGANISATION.remarksToPrintInvoice }) remarksToPrintInvoice!:
    string | null;
  @ResponseField(ORGANISATION.updateEntitiesOnly) updateEntitiesOnly!: boolean;
  @ResponseField(ORGANISATION.preventDeactivation) preventDeactivation!: boolean;
  @ResponseField(ORGANISATION.parentOrganisation) parentOrganisation!: string;

  @ResponseField({ type: 'integer', enum: [0, 1, 2], ...ORGANISATION.externalInfoRequired })
  externalInfoRequired!: number;

  @ResponseField(ORGANISATION.nextInvoiceRun) nextInvoiceRun!: string;
  @ResponseField(ORGANISATION.required2fa) required2fa!: boolean;
  @ResponseField({ type: 'integer', ...ORGANISATION.agencyMode }) agencyMode!: number;
  @ResponseField(ORGANISATION.bundleProRata) bundleProRata!: boolean;
  @ResponseField(ORGANISATION.testAccount) testAccount!: boolean;
  @ResponseField({ type: 'string', ...ORGANISATION.beforeFirstOrder }) beforeFirstOrder!: string | null;
  @ResponseField(ORGANISATION.street) street!: string;
  @ResponseField(ORGANISATION.houseNumber) houseNumber!: string;
  @ResponseField(ORGANISATION.zip) zip!: string;
  @ResponseField(ORGANISATION.city) city!: string;
  @ResponseField({ type: CountryResponse, ...ORGANISATION.country }) country!: CountryResponse | null;

  @ResponseField({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  resellerOrganisation!: ResellerResponse | null;

  @ResponseField({ type: OrganisationTypeResponse, ...ORGANISATION.organisationType })
  organisationType!: OrganisationTypeResponse;

  @ResponseField({ type: 'string', ...ORGANISATION.source1 }) source1!: string | null;
  @ResponseField({ type: 'string', ...ORGANISATION.source2 }) source2!: string | null;
  @ResponseField(ORGANISATION.pdfInvoice) pdfInvoice!: boolean;
  @ResponseField(ORGANISATION.peppolInvoicing) peppolInvoicing!: boolean;
  @ResponseField(ORGANISATION.isSoft) isSoft!: boolean;
  @ResponseField({ type: 'string', ...ORGANISATION.information }) information!: string | null;
  @RestrictedField({ type: 'string', ...ORGANISATION.externalId }) externalId?: string | null;
  @RestrictedField({ type: 'integer', ...ORGANISATION.paymentperiod }) paymentperiod?: number;
  @RestrictedField({ type: 'integer', ...ORGANISATION.resellerKickback }) resellerKickback?: number | null;

  @RestrictedField({ type: 'integer', ...ORGANISATION.defaultResellerKickback })
  defaultResellerKickback?: number | null;

  @RestrictedField(ORGANISATION.discount) discount?: string;
  @RestrictedField(ORGANISATION.prePaymentRequired) prePaymentRequired?: boolean;

  @RestrictedField({
    type: 'object',
    additionalProperties: { type: 'integer' },
    ...ORGANISATION.defaultAgreements,
  })
  defaultAgreements?: Record<string, number>;

  @RestrictedField({ type: [UserItemResponse], ...ORGANISATION.users }) users?: UserItemResponse[];
  @RestrictedField({ type: PriceGroupResponse, ...ORGANISATION.pricegroup }) pricegroup?: PriceGroupResponse;
}

/** All fields for admins, the reduced set for other readers. */
export function toOrganisationResponse({
  organisation,
  readByAdmin,
}: OrganisationForReader): OrganisationResponse {
  const reduced = toReducedResponse(organisation);
  // Spreading both would give each of these large objects its own hidden class, which costs more time and
  // memory than the rest of a list.
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

class SubOrganisationUserResponse extends SharedUserResponse {
  @ResponseField(USER.statusCategory) statusCategory!: string;
}

/** An organisation beneath another. */
export class SubOrganisationResponse extends SubOrganisationAddressResponse {
  @ResponseField(ORGANISATION.parentOrganisation) parentOrganisation!: string;

  @ResponseField({ type: [SubOrganisationUserResponse], ...ORGANISATION.users })
  users!: SubOrganisationUserResponse[];

  @ResponseField({ type: 'integer', description: 'How many invitations are open', example: 0 })
  invitationCount!: number;
}

export const toSubOrganisationResponse = (organisation: SubOrganisation): SubOrganisationResponse => ({
  ...toSubOrganisationAddress(organisation),
  parentOrganisation: organisation.parentId === null ? '' : String(organisation.parentId),
  users: organisation.users.map((user) => ({
    ...toSubOrganisationUser(user),
    statusCategory: statusCategory(user.enabled ? 'ok' : 'deactivated'),
  })),
  invitationCount: organisation.openInvitations,
});
