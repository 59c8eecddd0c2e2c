import type { Json } from '../../qa/sample';

/** The error body of decisions.md section 2, with the reason and request id of section 3. */
export const refused = (code: number, message = '<words>'): Json => ({
  code,
  message,
  reason: '<words>',
  requestId: '<words>',
});

/** 400 with the failing fields. */
export const invalid = (...fields: readonly string[]): Json => ({
  ...(refused(400) as Record<string, Json>),
  errors: { children: Object.fromEntries(fields.map((name) => [name, { errors: ['<words>'] }])) },
});

/** 500 of who has access but lacks the role. */
export const roleRequired: Json = {
  ...(refused(500, 'Insufficient role') as object),
  reason: 'ROLE_REQUIRED',
};

const USER = {
  id: '{userId}',
  username: '{username}',
  email: '{username}',
  firstName: 'Anna',
  lastName: 'de Boer',
  fullname: 'Anna de Boer',
  roles: [],
  status: 'ok',
  language: 'nl',
  country: null,
  teams: [],
} as const;

const ORGANISATION_OF_USER = {
  id: '{organisationId}',
  name: '{organisationName}',
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  reseller: null,
  organisationType: { identifier: 1 },
} as const;

/** The person of a story, as single reads give a user in Variant A. */
export const PERSON_A = {
  ...USER,
  statusCategory: 'green',
  organisation: ORGANISATION_OF_USER,
} as const;

/** Variant B has no category beside the status. */
export const PERSON_B = { ...USER, organisation: ORGANISATION_OF_USER } as const;

const LOGIN_ORGANISATION = {
  ...ORGANISATION_OF_USER,
  updateEntitiesOnly: false,
  prePaymentRequired: false,
  externalInfoRequired: 0,
  agencyMode: 0,
} as const;

/** The person in the answers of login, softlogin and activate2fa. */
export const LOGIN_PERSON_A = {
  ...PERSON_A,
  status2fa: 'disabled',
  organisation: LOGIN_ORGANISATION,
} as const;
export const LOGIN_PERSON_B = {
  ...PERSON_B,
  status2fa: 'disabled',
  organisation: LOGIN_ORGANISATION,
} as const;

/** The person as lists give a user. */
export const PERSON_ITEM = {
  id: '{userId}',
  username: '{username}',
  email: '{username}',
  firstName: 'Anna',
  lastName: 'de Boer',
  roles: [],
} as const;

/** The admin of the run as lists give a user. */
export const ADMIN_ITEM = {
  id: '{adminId}',
  username: '{adminUsername}',
  email: '{adminEmail}',
  firstName: '{adminFirstName}',
  lastName: '{adminLastName}',
  roles: '{adminRoles}',
} as const;

/** All seven groups of a contact, those named enabled. */
export const preferences = (...enabled: readonly string[]): Json =>
  ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'].map((name) => ({
    name,
    value: enabled.includes(name),
  }));
