import { Shown, ShownToSome } from '@app/platform/dto/shapes';
import type { OrganisationDetails, OrganisationForReader, SubOrganisation } from '../../organisation.columns';
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
import { statusCategory } from '../../status';

class OrganisationTypeResponse {
  @Shown({ description: 'The identifier as text', example: '1' }) id!: string;

  @Shown({ type: 'integer', description: 'What requests name the type with', example: 1 })
  identifier!: number;

  @Shown({ description: 'Customer, Reseller or Operator', example: 'Customer' }) description!: string;
}

class PriceGroupResponse {
  @Shown({ description: 'What requests name the price group with', example: '1' }) id!: string;
  @Shown({ description: 'Name of the price group', example: 'default' }) description!: string;
}

/** An organisation. Only admins get the last nine fields. */
export class OrganisationResponse {
  @Shown(ORGANISATION.id) id!: number;
  @Shown(ORGANISATION.name) name!: string;
  @Shown(ORGANISATION.taxNumber) taxNumber!: string;
  @Shown(ORGANISATION.mustPayTax) mustPayTax!: boolean;
  @Shown({ type: String, ...ORGANISATION.remarksToPrintInvoice }) remarksToPrintInvoice!: string | null;
  @Shown(ORGANISATION.updateEntitiesOnly) updateEntitiesOnly!: boolean;
  @Shown(ORGANISATION.preventDeactivation) preventDeactivation!: boolean;
  @Shown(ORGANISATION.parentOrganisation) parentOrganisation!: string;

  @Shown({ type: 'integer', enum: [0, 1, 2], ...ORGANISATION.externalInfoRequired })
  externalInfoRequired!: number;

  @Shown(ORGANISATION.nextInvoiceRun) nextInvoiceRun!: string;
  @Shown(ORGANISATION.required2fa) required2fa!: boolean;
  @Shown({ type: 'integer', ...ORGANISATION.agencyMode }) agencyMode!: number;
  @Shown(ORGANISATION.bundleProRata) bundleProRata!: boolean;
  @Shown(ORGANISATION.testAccount) testAccount!: boolean;
  @Shown({ type: String, ...ORGANISATION.beforeFirstOrder }) beforeFirstOrder!: string | null;
  @Shown(ORGANISATION.street) street!: string;
  @Shown(ORGANISATION.houseNumber) houseNumber!: string;
  @Shown(ORGANISATION.zip) zip!: string;
  @Shown(ORGANISATION.city) city!: string;
  @Shown({ type: CountryResponse, ...ORGANISATION.country }) country!: CountryResponse | null;

  @Shown({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  resellerOrganisation!: ResellerResponse | null;

  @Shown({ type: OrganisationTypeResponse, ...ORGANISATION.organisationType })
  organisationType!: OrganisationTypeResponse;

  @Shown({ type: String, ...ORGANISATION.source1 }) source1!: string | null;
  @Shown({ type: String, ...ORGANISATION.source2 }) source2!: string | null;
  @Shown(ORGANISATION.pdfInvoice) pdfInvoice!: boolean;
  @Shown(ORGANISATION.peppolInvoicing) peppolInvoicing!: boolean;
  @Shown(ORGANISATION.isSoft) isSoft!: boolean;
  @Shown({ type: String, ...ORGANISATION.information }) information!: string | null;
  @ShownToSome({ type: String, ...ORGANISATION.externalId }) externalId?: string | null;
  @ShownToSome({ type: 'integer', ...ORGANISATION.paymentperiod }) paymentperiod?: number;
  @ShownToSome({ type: 'integer', ...ORGANISATION.resellerKickback }) resellerKickback?: number | null;

  @ShownToSome({ type: 'integer', ...ORGANISATION.defaultResellerKickback })
  defaultResellerKickback?: number | null;

  @ShownToSome(ORGANISATION.discount) discount?: string;
  @ShownToSome(ORGANISATION.prePaymentRequired) prePaymentRequired?: boolean;

  @ShownToSome({
    type: 'object',
    additionalProperties: { type: 'integer' },
    ...ORGANISATION.defaultAgreements,
  })
  defaultAgreements?: Record<string, number>;

  @ShownToSome({ type: [UserItemResponse], ...ORGANISATION.users }) users?: UserItemResponse[];
  @ShownToSome({ type: PriceGroupResponse, ...ORGANISATION.pricegroup }) pricegroup?: PriceGroupResponse;
}

/** All fields for an admin, the reduced set for other readers. */
export function toOrganisationResponse({
  organisation,
  readByAdmin,
}: OrganisationForReader): OrganisationResponse {
  const reduced = toReducedResponse(organisation);
  // Spreading both would give each of these large objects its own hidden class, which costs more time and memory than
  // the rest of a list.
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
  @Shown(USER.statusCategory) statusCategory!: string;
}

/** An organisation beneath another. */
export class SubOrganisationResponse extends SubOrganisationAddressResponse {
  @Shown(ORGANISATION.parentOrganisation) parentOrganisation!: string;

  @Shown({ type: [SubOrganisationUserResponse], ...ORGANISATION.users })
  users!: SubOrganisationUserResponse[];

  @Shown({ type: 'integer', description: 'How many invitations are open', example: 0 })
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
