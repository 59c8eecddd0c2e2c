import type { Json } from '../../tools/qa/scenario';
import type { PerVariant } from '../support/service/variants';

/** The error body of decisions.md section 2, with the reason and request id of section 3. */
export const refused = (code: number, message = '<words>'): Json => ({
  code,
  message,
  reason: '<words>',
  requestId: '<words>',
});

/** 400 with the failing fields, and the stable words of what is wrong with each. */
export const invalid = (fields: Readonly<Record<string, readonly string[]>>): Json => ({
  ...(refused(400) as Record<string, Json>),
  reason: 'VALIDATION_FAILED',
  errors: {
    children: Object.fromEntries(
      Object.entries(fields).map(([name, words]) => [name, { errors: words.map(() => '<words>') }]),
    ),
  },
  reasons: fields as Json,
});

/** 400 for the password `short`: each rule that it breaks is a fault. */
export const SHORT_PASSWORD = {
  A: invalid({ password: ['TOO_SHORT', 'DIGIT_MISSING', 'SPECIAL_CHARACTER_MISSING'] }),
  B: invalid({ password: ['TOO_SHORT', 'DIGIT_MISSING', 'CAPITAL_MISSING'] }),
} as const satisfies PerVariant<Json>;

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

/** The person of a scenario, as single reads give a user. */
export const PERSON = {
  A: { ...USER, statusCategory: 'green', organisation: ORGANISATION_OF_USER },
  // No category beside the status.
  B: { ...USER, organisation: ORGANISATION_OF_USER },
} as const satisfies PerVariant<Json>;

const IN_LOGINS = {
  status2fa: 'disabled',
  organisation: {
    ...ORGANISATION_OF_USER,
    updateEntitiesOnly: false,
    prePaymentRequired: false,
    externalInfoRequired: 0,
    agencyMode: 0,
  },
} as const;

/** The person in the responses of login, softlogin and activate2fa. */
export const LOGIN_PERSON = {
  A: { ...PERSON.A, ...IN_LOGINS },
  B: { ...PERSON.B, ...IN_LOGINS },
} as const satisfies PerVariant<Json>;

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
