import { emailOf } from '@app/formats/email-address';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField } from '@app/platform/dto/shapes';
import { ROLES } from '@app/security/access/roles';
import { countryById } from '../../countries';
import type { SubOrganisation } from '../../organisation.columns';
import type { OrganisationUser, Reseller } from '../../organisation.types';

/** Descriptions of the fields of a user, in requests and responses. */
export const USER = {
  id: { type: 'integer', description: 'Identifier of the user', example: 34 },
  username: {
    description:
      'What the user logs in with: an e-mail address, or a login name. Unique in the service, without regard to case',
    example: 'jan@example.nl',
  },
  email: {
    description: 'The user name where it is an e-mail address, else empty',
    example: 'jan@example.nl',
  },
  firstName: { description: 'First name', example: 'Jan' },
  lastName: { description: 'Last name, with its prefixes', example: 'de Vries' },
  fullname: { description: 'First and last name', example: 'Jan de Vries' },
  roles: {
    type: ['string'],
    enum: [...ROLES],
    description:
      'What the user may do, often nothing but read. ROLE_ADMIN: everything, only in the operator organisation; ' +
      'ROLE_CUSTADMIN: manages the own organisation and those beneath it; the others are for other areas of the panel',
    example: ['ROLE_CUSTADMIN'],
  },
  status: { enum: ['ok', 'deactivated'], description: 'Whether the user is enabled or disabled' },
  statusCategory: { enum: ['green', 'grey'], description: 'The colour of the status' },
  status2fa: {
    enum: ['disabled', 'requested', 'enabled'],
    description: 'Two-factor login: off, to be set up by the user, or on',
  },
  language: { enum: ['nl', 'en', 'fr'], description: 'Language of the mails that the user gets' },
  organisation: { description: 'The organisation that the user belongs to' },
  country: { nullable: true, description: 'Country of the organisation; null where it has none' },
  teams: { description: 'The teams that the user is a member of' },
  rolesAsText: {
    description:
      `Comma-separated roles, of ${ROLES.join(', ')}; empty for none. Only admins give ROLE_ADMIN, and only in ` +
      'the operator organisation; with an API key neither it nor ROLE_CUSTADMIN can be given',
    example: 'ROLE_CUSTADMIN',
  },
  websiteOrderInfo: {
    description: 'Free text from the order at the website: kept, and shown in no response',
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

const TO_ADMINS = 'only admins see it';

/** Descriptions of the fields of an organisation, in requests and responses. */
export const ORGANISATION = {
  id: { type: 'integer', description: 'Identifier of the organisation', example: 12 },
  name: { description: 'Name of the company or person', example: 'Bakkerij de Vries' },
  taxNumber: { description: 'Tax number, as it was given', example: 'NL001234567B01' },
  street: { description: 'Street of the address; empty when not known', example: 'Dorpsstraat' },
  houseNumber: {
    description:
      'House number with its addition; empty when not known. The number 0 counts as absent in requests',
    example: '12a',
  },
  zip: {
    description: 'Postal code; empty when not known. The number 0 counts as absent in requests',
    example: '1234 AB',
  },
  city: { description: 'City of the address; empty when not known', example: 'Utrecht' },
  country: { nullable: true, description: 'Country of the address; null when not known' },
  resellerOrganisation: {
    nullable: true,
    description: 'The organisation that resells to this one; null without one',
  },
  parentOrganisation: {
    description: 'Identifier of the parent in the tree; empty only for the operator organisation',
    example: '1',
  },
  mustPayTax: { type: 'boolean', description: 'Whether tax is added to the invoice price; true at creation' },
  remarksToPrintInvoice: { nullable: true, description: 'Remarks that are printed on invoices' },
  updateEntitiesOnly: {
    type: 'boolean',
    description:
      'Users of sub-organisations with true cannot create or delete entities; false at creation. The areas of the panel that hold entities act on it',
  },
  preventDeactivation: {
    type: 'boolean',
    description: 'Kept for the areas of the panel that deactivate; true at creation',
  },
  externalInfoRequired: {
    description:
      'Which information is asked for elsewhere in the panel, kept for the areas that do; 0 at creation',
  },
  organisationType: { description: 'Type of the organisation' },
  nextInvoiceRun: {
    description: 'When invoices are made next, Unix seconds as text; empty when no run is planned',
    example: '1767225600',
  },
  required2fa: {
    type: 'boolean',
    description: 'Whether the users of the organisation must log in with a second factor',
  },
  agencyMode: { description: 'Kept for the areas of the panel that act on it; 0 at creation' },
  bundleProRata: {
    type: 'boolean',
    description: 'Whether billing bundles parts of a period; false at creation',
  },
  testAccount: { type: 'boolean', description: 'Whether the organisation is a test account' },
  beforeFirstOrder: { nullable: true, description: 'Kept for billing; no request sets it' },
  source1: { nullable: true, description: 'Where the organisation came from, as free text' },
  source2: { nullable: true, description: 'Where the organisation came from, further free text' },
  pdfInvoice: { type: 'boolean', description: 'Whether invoices are sent as PDF attachments' },
  peppolInvoicing: {
    type: 'boolean',
    description: 'Whether invoices are sent by Peppol; no request sets it',
  },
  isSoft: { type: 'boolean', description: 'Kept for billing; no request sets it' },
  information: { nullable: true, description: 'Free text about the organisation' },
  externalId: {
    nullable: true,
    description: `Identifier of the organisation in another system; ${TO_ADMINS}`,
    example: 'CRM-4711',
  },
  paymentperiod: {
    enum: [0, 30, 60, 90],
    description: `Days within which invoices are paid, 30 at creation; ${TO_ADMINS}`,
  },
  resellerKickback: {
    nullable: true,
    description: `Commission of the reseller in hundredths of a percent (100 = 1%); null without one; ${TO_ADMINS}`,
  },
  defaultResellerKickback: {
    nullable: true,
    description: `Commission, where none other is set, in hundredths of a percent (100 = 1%); ${TO_ADMINS}`,
  },
  discount: { description: `Discount as text, empty without one; no request sets it; ${TO_ADMINS}` },
  prePaymentRequired: {
    type: 'boolean',
    description: 'Whether orders are paid in advance; no request sets it',
  },
  defaultAgreements: {
    description: `Agreement id by entity class name (apps, domains, generic items, locations, mail groups, systems); ${TO_ADMINS}`,
  },
  users: { description: 'The users of the organisation' },
  pricegroup: { description: `The price group whose prices count; ${TO_ADMINS}` },
  total: { type: 'integer', description: 'How many organisations the whole list has, all pages together' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** A country in responses of both variants. */
export class CountryResponse {
  @ResponseField({ description: 'ISO 3166-1 alpha-2 code', example: 'NL' }) id!: string;
  @ResponseField({ description: 'English name', example: 'Netherlands' }) name!: string;
}

/** The reseller of an organisation in responses of both variants. */
export class ResellerResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the reseller', example: 12 }) id!: number;
  @ResponseField({ description: 'Name of the reseller', example: 'Hosting Partners' }) name!: string;
  @ResponseField({ description: 'Tax number of the reseller', example: 'NL001234567B01' }) taxNumber!: string;
}

/** A user in lists of both variants. */
export class UserItemResponse {
  @ResponseField(USER.id) id!: number;
  @ResponseField(USER.username) username!: string;
  @ResponseField(USER.email) email!: string;
  @ResponseField(USER.firstName) firstName!: string;
  @ResponseField(USER.lastName) lastName!: string;
  @ResponseField(USER.roles) roles!: string[];
}

/** A user of an organisation beneath another. */
export class SubOrganisationUserResponse {
  @ResponseField(USER.id) id!: number;
  @ResponseField(USER.email) email!: string;
  @ResponseField(USER.fullname) fullName!: string;
  @ResponseField(USER.status) status!: string;
}

/** The fields of an organisation beneath another that come first in both variants. */
export class SubOrganisationAddressResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
  @ResponseField(ORGANISATION.street) street!: string;
  @ResponseField(ORGANISATION.houseNumber) houseNumber!: string;
  @ResponseField(ORGANISATION.zip) zip!: string;
  @ResponseField(ORGANISATION.city) city!: string;
  @ResponseField({ type: CountryResponse, ...ORGANISATION.country }) country!: CountryResponse | null;
}

export function toCountryResponse(code: string | null): CountryResponse | null {
  const country = code === null ? undefined : countryById(code);
  return country === undefined ? null : { id: country.id, name: country.name };
}

export const toResellerResponse = (reseller: Reseller | null): ResellerResponse | null =>
  reseller === null ? null : { id: reseller.id, name: reseller.name, taxNumber: reseller.taxNumber };

export const toUserItemResponse = (user: Omit<OrganisationUser, 'enabled'>): UserItemResponse => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  roles: [...user.roles],
});

export const toSubOrganisationUser = (user: OrganisationUser): SubOrganisationUserResponse => ({
  id: user.id,
  email: emailOf(user.username),
  fullName: `${user.firstName} ${user.lastName}`,
  status: user.enabled ? 'ok' : 'deactivated',
});

export const toSubOrganisationAddress = (organisation: SubOrganisation): SubOrganisationAddressResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: toCountryResponse(organisation.countryCode),
});
