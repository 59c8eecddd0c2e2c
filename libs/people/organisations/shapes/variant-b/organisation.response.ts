import { Shown } from '@app/platform/dto/shapes';
import type { OrganisationForReader, SubOrganisation } from '../../organisation.columns';
import {
  CountryResponse,
  ORGANISATION,
  ResellerResponse,
  SubOrganisationAddressResponse,
  SubOrganisationUserResponse,
  toCountryResponse,
  toResellerResponse,
  toSubOrganisationAddress,
  toSubOrganisationUser,
  toUserItemResponse,
  UserItemResponse,
} from '../shared/organisation-parts.response';

/** An organisation in lists and after creation, equal for every reader. */
export class OrganisationResponse {
  @Shown(ORGANISATION.id) id!: number;
  @Shown(ORGANISATION.name) name!: string;
  @Shown(ORGANISATION.taxNumber) taxNumber!: string;
  @Shown(ORGANISATION.mustPayTax) mustPayTax!: boolean;
  @Shown(ORGANISATION.street) street!: string;
  @Shown(ORGANISATION.houseNumber) houseNumber!: string;
  @Shown(ORGANISATION.zip) zip!: string;
  @Shown(ORGANISATION.city) city!: string;
  @Shown({ type: CountryResponse, ...ORGANISATION.country }) country!: CountryResponse | null;

  @Shown({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  resellerOrganisation!: ResellerResponse | null;

  @Shown({ type: [UserItemResponse], ...ORGANISATION.users }) users!: UserItemResponse[];
  @Shown({ type: String, ...ORGANISATION.remarksToPrintInvoice }) remarksToPrintInvoice!: string | null;
  @Shown(ORGANISATION.updateEntitiesOnly) updateEntitiesOnly!: boolean;
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

/** A single organisation, equal for every reader. */
export class OrganisationDetailsResponse extends OrganisationResponse {
  @Shown(ORGANISATION.preventDeactivation) preventDeactivation!: boolean;
}

export const toOrganisationDetailsResponse = (value: OrganisationForReader): OrganisationDetailsResponse => ({
  ...toOrganisationResponse(value),
  preventDeactivation: value.organisation.preventDeactivation,
});

/** An organisation beneath another. */
export class SubOrganisationResponse extends SubOrganisationAddressResponse {
  @Shown({ type: [SubOrganisationUserResponse], ...ORGANISATION.users })
  users!: SubOrganisationUserResponse[];
}

export const toSubOrganisationResponse = (organisation: SubOrganisation): SubOrganisationResponse => ({
  ...toSubOrganisationAddress(organisation),
  users: organisation.users.map(toSubOrganisationUser),
});
