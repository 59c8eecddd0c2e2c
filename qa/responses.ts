import type { Json } from './scenario';
import type { PerVariant } from './variants';

/** The error body, with its reason and request id (rule answers 10). */
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

/** All seven groups of a contact, those named enabled. */
export const preferences = (...enabled: readonly string[]): Json =>
  ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'].map((name) => ({
    name,
    value: enabled.includes(name),
  }));

/** The fields of a record by their names. */
type Fields = Readonly<Record<string, Json>>;

/**
 * A maker of whole records, for scenarios and for every other test that compares a whole record. It takes the
 * fields that are not as usual. A new field of a response that is usually null is one line here.
 */
const recordOf =
  <const Usual extends Fields>(usual: Usual) =>
  (differing?: Readonly<Partial<Record<keyof Usual, Json>>>): Readonly<Record<keyof Usual, Json>> => ({
    ...usual,
    ...differing,
  });

/** A user, as lists and other records show it: the person of a scenario. */
export const userItem = recordOf({
  id: '{userId}',
  username: '{username}',
  email: '{username}',
  firstName: 'Anna',
  lastName: 'de Boer',
  roles: [],
});

/** The admin of the run, as lists and other records show it. */
export const adminItem = (): Json =>
  userItem({
    id: '{adminId}',
    username: '{adminUsername}',
    email: '{adminEmail}',
    firstName: '{adminFirstName}',
    lastName: '{adminLastName}',
    roles: '{adminRoles}',
  });

/** The organisation of a user, as single reads of the user show it. */
export const organisationOfUser = recordOf({
  id: '{organisationId}',
  name: '{organisationName}',
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  reseller: null,
  organisationType: { identifier: 1 },
});

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

const USERS = {
  A: { ...USER, statusCategory: 'green', organisation: organisationOfUser() },
  // No category beside the status.
  B: { ...USER, organisation: organisationOfUser() },
} as const;

/** A user, as single reads show it. */
export const userRecord = {
  A: recordOf(USERS.A),
  B: recordOf(USERS.B),
} as const satisfies PerVariant<unknown>;

const IN_LOGINS = {
  status2fa: 'disabled',
  organisation: {
    ...organisationOfUser(),
    updateEntitiesOnly: false,
    prePaymentRequired: false,
    externalInfoRequired: 0,
    agencyMode: 0,
  },
} as const;

/** A user in the response of a login. */
export const userOfLogin = {
  A: recordOf({ ...USERS.A, ...IN_LOGINS }),
  B: recordOf({ ...USERS.B, ...IN_LOGINS }),
} as const satisfies PerVariant<unknown>;

/** The response of login, softlogin and activate2fa. */
export const loggedIn = {
  A: recordOf({ success: true, user: userOfLogin.A(), hash: '<hash64>', hash2fa: '' }),
  B: recordOf({ success: true, user: userOfLogin.B(), hash: '<hash64>' }),
} as const satisfies PerVariant<unknown>;

/** The response of `/whoami`. */
export const identity = recordOf({
  userId: '{userId}',
  organisationId: '{organisationId}',
  username: '{username}',
  name: 'Anna de Boer',
  email: '{username}',
});

/** One of the logins of a user. */
export const loginRecord = recordOf({
  id: '<id>',
  dtCreated: '<timestamp>',
  dtLastUsed: '<timestamp>',
  ip: '<words>',
  country: '<text>',
  os: '<text>',
  browser: '<text>',
  current: false,
});

/** A new login of staff. */
export const supportLogin = recordOf({
  id: '<id> as supportId',
  hash: '<hash64> as support',
  dtExpires: '<timestamp>',
  write: false,
});

export const trustedDevice = recordOf({
  id: '{token2faId}',
  trustedDevice: {
    country: '<text>',
    ip: '<words>',
    os: '<words>',
    browser: '<words>',
    userAgent: '<words>',
  },
  dtCreated: '<timestamp>',
  dtExpires: '<timestamp>',
});

/** How many recovery codes a user has. */
export const recoveryCodeCount = recordOf({ left: 0, dtCreated: '' });

export const passkeyRecord = recordOf({
  id: '{passkeyId}',
  name: 'phone {unique}',
  dtCreated: '<timestamp>',
  dtLastUsed: '',
  backedUp: true,
});

/** What a user prefers in the panel. */
export const preferencesRecord = recordOf({ darkTheme: false, shortcuts: [] });

/** A customer without anything but name and tax number: the defaults of account-api.md. */
const ORGANISATION_OF_A = {
  id: '{made}',
  name: 'Bakkerij {unique}',
  taxNumber: 'NL-{unique}',
  mustPayTax: true,
  remarksToPrintInvoice: null,
  externalId: null,
  updateEntitiesOnly: false,
  preventDeactivation: true,
  parentOrganisation: '1',
  externalInfoRequired: 0,
  nextInvoiceRun: '',
  required2fa: false,
  agencyMode: 0,
  bundleProRata: false,
  testAccount: false,
  beforeFirstOrder: null,
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  country: null,
  resellerOrganisation: null,
  organisationType: { id: '<words>', identifier: 1, description: 'Customer' },
  paymentperiod: 30,
  source1: null,
  source2: null,
  resellerKickback: null,
  defaultResellerKickback: null,
  pdfInvoice: false,
  peppolInvoicing: false,
  discount: '',
  isSoft: false,
  prePaymentRequired: false,
  defaultAgreements: {},
  information: null,
  users: [],
  pricegroup: { id: '<words>', description: 'default' },
} as const;

const {
  externalId: _externalId,
  paymentperiod: _paymentperiod,
  prePaymentRequired: _prePaymentRequired,
  discount: _discount,
  resellerKickback: _resellerKickback,
  defaultResellerKickback: _defaultResellerKickback,
  defaultAgreements: _defaultAgreements,
  users: _users,
  pricegroup: _pricegroup,
  ...REDUCED_OF_A
} = ORGANISATION_OF_A;

const ORGANISATION_OF_B = {
  id: '{made}',
  name: 'Bakkerij {unique}',
  taxNumber: 'NL-{unique}',
  mustPayTax: true,
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  country: null,
  resellerOrganisation: null,
  users: [],
  remarksToPrintInvoice: null,
  updateEntitiesOnly: false,
} as const;

/** A new organisation in lists, and when it is created, as an admin sees it. */
export const organisationItem = {
  A: recordOf(ORGANISATION_OF_A),
  B: recordOf(ORGANISATION_OF_B),
} as const satisfies PerVariant<unknown>;

/** A new organisation, as single reads of an admin show it. */
export const organisationRecord = {
  A: recordOf(ORGANISATION_OF_A),
  B: recordOf({ ...ORGANISATION_OF_B, preventDeactivation: true }),
} as const satisfies PerVariant<unknown>;

/** A new organisation of Variant A without the fields of admins. */
export const reducedOrganisation = recordOf(REDUCED_OF_A);

const SUB_ORGANISATION = {
  id: '{made}',
  name: 'Bakkerij {unique}',
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  country: null,
} as const;

/** An organisation in the list of those beneath another one. */
export const subOrganisation = {
  A: recordOf({ ...SUB_ORGANISATION, parentOrganisation: '1', users: [], invitationCount: 0 }),
  B: recordOf({ ...SUB_ORGANISATION, users: [] }),
} as const satisfies PerVariant<unknown>;

/** In whose name an organisation gets mails and pages. */
export const brandRecord = recordOf({
  organisationId: '{organisationId}',
  name: 'Kantoor Hosting',
  supportUrl: '',
  panelUrl: '',
  colour: '',
});

/** What billing keeps of an organisation. */
export const billingRecord = recordOf({
  discount: '',
  peppolInvoicing: false,
  prePaymentRequired: false,
  isSoft: false,
  beforeFirstOrder: null,
  commissionFactor: null,
  documentInterval: '0',
  invoiceDay: { min: 1, max: 28 },
});

/** The state of an organisation that may be suspended. */
export const suspensionState = recordOf({
  id: '{organisationId}',
  name: '{organisationName}',
  status: 'ok',
  suspensions: [],
});

export const suspension = recordOf({
  organisation: { id: '{organisationId}', name: '{organisationName}' },
  itself: true,
  withSubOrganisations: false,
  reason: '',
  since: '<timestamp>',
  by: { id: '{adminId}', fullname: '{adminFirstName} {adminLastName}' },
});

const INVITATION = {
  id: '{invitationId}',
  firstName: 'Anna',
  lastName: 'de Boer',
  email: 'qa-{unique}@{mailDomain}',
  status: 'ok',
  language: 'nl',
  organisation: { id: '{organisationId}' },
  fullname: 'Anna de Boer',
} as const;

/** An open invitation. */
export const invitationRecord = {
  A: recordOf({ ...INVITATION, statusCategory: 'green' }),
  B: recordOf(INVITATION),
} as const satisfies PerVariant<unknown>;

/** A team with nobody and nothing in it. */
export const teamRecord = recordOf({
  id: '{teamId}',
  name: 'Web {unique}',
  adminOnly: false,
  autoAddSshkey: true,
  users: [],
  entities: [],
  teamEntities: { apps: [], domains: [], mailgroups: [], systems: [] },
});

/** A domain of a mail group. */
export const mailDomain = recordOf({
  id: '{domainId}',
  name: 'example',
  mailPrimary: true,
  domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
});

export const contactRecord = recordOf({
  id: '{contactId}',
  type: 'email',
  name: 'qa-{unique}@example.com',
  preferences: preferences(),
});

export const sshKeyRecord = recordOf({
  id: '{sshkeyId}',
  description: 'laptop {unique}',
  content: '{publicKey} laptop {unique}',
  status: 'ok',
  fingerprint: '{fingerprint}',
  organisation: { id: '{organisationId}', name: '{organisationName}' },
});

const API_KEY = { id: '{apiKeyId}', name: 'robot {unique}', whitelist: [] } as const;

/** An API key, when it is made. */
export const newApiKey = recordOf({ ...API_KEY, hash: '<hash64> as key' });

/** An API key in lists. */
export const apiKeyItem = recordOf({ ...API_KEY, dtExpires: '<timestamp>' });

/** An API key, as single reads show it. */
export const apiKeyRecord = recordOf({
  ...API_KEY,
  readOnly: false,
  dtCreated: '<timestamp>',
  // It is written beside the answer to a use.
  dtLastUsed: '<text>',
  dtRotated: '',
  dtExpires: '<timestamp>',
});

export const serviceKeyRecord = recordOf({
  id: '{serviceKeyId}',
  name: 'service {unique}',
  operations: ['organisations.read'],
  beneath: false,
  whitelist: [],
  dtCreated: '<timestamp>',
  dtExpires: '<timestamp>',
  // It is written beside the answer to a use.
  dtLastUsed: '<text>',
});

export const webhookRecord = recordOf({
  id: '{webhookId}',
  url: 'https://receiver.invalid/{unique}',
  events: ['users.*', 'organisations.updated'],
  beneath: false,
  enabled: true,
  dtCreated: '<timestamp>',
  // The test may have been tried by now.
  lastError: '<text>',
});

/** A message to a receiver. Its outcome may be written after the receiver has answered. */
export const deliveryRecord = recordOf({
  id: '<id>',
  event: 'webhook.test',
  dtCreated: '<timestamp>',
  tries: '<integer>',
  status: '<integer>',
  error: '',
  duration: '<integer>',
  dtNextTry: '<text>',
});

/** What an event is about. */
const eventData = recordOf({
  id: '<id>',
  kind: 'users',
  organisationId: '{organisationId}',
  recordId: '{userId}',
  actor: { type: 'user', id: '{userId}' },
  changed: [],
});

/** An event, in the feed and in the message to a receiver. */
export const eventRecord = (
  type: string,
  data: Parameters<typeof eventData>[0],
  timestamp: Json = '<moment>',
): Json => ({ type, timestamp, data: eventData(data) });

/** A row of the audit log. */
export const auditEntry = recordOf({ id: '<integer>', dtStamp: '<timestamp>', actor: {}, change: {} });

const GRANT = {
  id: '{grantId}',
  organisation: { id: '{organisationId}', name: '{organisationName}' },
  grantee: { id: '{adminOrganisationId}', name: '<words>' },
  access: 'manage',
  onlyTeams: false,
  teams: [],
  dtCreated: '<timestamp>',
  dtExpires: '',
} as const;

const { teams: _teams, ...GRANT_OF_GRANTOR } = GRANT;

/** A grant, as the managers of the organisation that receives it see it. */
export const grantRecord = recordOf(GRANT);

/** A grant, as the organisation that gives it sees it. */
export const grantOfGrantor = recordOf(GRANT_OF_GRANTOR);

export const documentRecord = recordOf({
  id: '{documentId}',
  name: 'Invoice 2026-001',
  dtCreated: '<timestamp>',
  dtChanged: '<timestamp>',
  dtSent: '',
  pdf: null,
  xml: null,
});

export const notificationRecord = recordOf({
  id: '{notificationId}',
  entityIndex: 'Organisation-{organisationId}',
  entityName: '{organisationName}',
  dtStamp: '<timestamp>',
  notificationGroup: 'Crm',
  type: 'qa{unique}',
  entityClass: 'Organisation',
  entityId: '{organisationId}',
  rootEntityClass: 'Organisation',
  rootEntityId: '{organisationId}',
  status: '<integer>',
  statusDisplay: '<words>',
  statusCategory: '<words>',
  sendMode: 0,
  priority: 0,
  subject: null,
  params: {},
  userId: '{adminId}',
  contacts: [],
  extraRecipients: [],
  entity: { id: '{organisationId}', name: '{organisationName}' },
  user: adminItem(),
});

/** Somebody with access to an organisation. */
export const accessHolder = recordOf({
  kind: 'user',
  id: '{userId}',
  name: '{username}',
  organisation: { id: '{organisationId}', name: '{organisationName}' },
  by: 'own',
  access: 'manage',
  roles: ['ROLE_CUSTADMIN'],
  secondFactor: false,
  passkeys: 0,
  apiKeys: 0,
  dtLastUsed: '<timestamp>',
  grantId: null,
});

/** A credential, as another service is told of it. */
export const introspection = recordOf({
  active: true,
  token_type: 'login',
  sub: '<words>',
  // The name; empty for a person who registered without a token, because that name is
  // unverified (rule recovery 32).
  username: '<text>',
  iat: '<integer>',
  exp: '<integer>',
  organisationId: '{organisationId}',
  roles: [],
  readOnly: false,
  secondFactor: false,
});
