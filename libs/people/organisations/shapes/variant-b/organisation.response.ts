import { ResponseField } from '@app/platform/dto/shapes';
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
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
  @ResponseField(ORGANISATION.taxNumber) taxNumber!: string;
  @ResponseField(ORGANISATION.mustPayTax) mustPayTax!: boolean;
  @ResponseField(ORGANISATION.street) street!: string;
  @ResponseField(ORGANISATION.houseNumber) houseNumber!: string;
  @ResponseField(ORGANISATION.zip) zip!: string;
  @ResponseField(ORGANISATION.city) city!: string;
  @ResponseField({ type: CountryResponse, ...ORGANISATION.country }) country!: CountryResponse | null;

  @ResponseField({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  resellerOrganisation!: ResellerResponse | null;

  @ResponseField({ type: [UserItemResponse], ...ORGANISATION.users }) users!: UserItemResponse[];
  @ResponseField({ type: 'string', ...ORGANISATION.remarksToPrintInvoice }) remarksToPrintInvoice!:
    string | null;
  @ResponseField(ORGANISATION.updateEntitiesOnly) updateEntitiesOnly!: boolean;
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
  @ResponseField(ORGANISATION.preventDeactivation) preventDeactivation!: boolean;
}

export const toOrganisationDetailsResponse = (value: OrganisationForReader): OrganisationDetailsResponse => ({
  ...toOrganisationResponse(value),
  preventDeactivation: value.organisation.preventDeactivation,
});

/** An organisation beneath another. */
export class SubOrganisationResponse extends SubOrganisationAddressResponse {
  @ResponseField({ type: [SubOrganisationUserResponse], ...ORGANISATION.users })
  users!: SubOrganisationUserResponse[];
}

export const toSubOrganisationResponse = (organisation: SubOrganisation): SubOrganisationResponse => ({
  ...toSubOrganisationAddress(organisation),
  users: organisation.users.map(toSubOrganisationUser),
});
