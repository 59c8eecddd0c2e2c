/**
 * Who may do what, written by hand from docs/rules/rights.md, keys.md and grants.md, and
 * deliberately not from privileges.ts: what the service answers is held against this.
 */
import type { Operation } from '@app/security/access/privileges';
import type { PerVariant } from '../../../qa/variants';

/** A cell of the table: `yes`, `role` (500 `Insufficient role`) or `no` (403). */
export type Cell = 'yes' | 'role' | 'no';

export interface Row {
  readonly admin: Cell;
  readonly own: Cell;
  readonly beneath: Cell;
  readonly other: Cell;
  /** ROLE_FINANCE of the organisation; absent where it is as any other user. */
  readonly finance?: Cell;
  /** Absent where the table has no entry for the user itself. */
  readonly self?: Cell;
  /** Not with an API key (rule keys 8); `person`: 403 `API_KEY_REFUSED` (rule grants 44). */
  readonly withKey?: 'no' | 'person';
  /** For service keys of the operator that name the operation itself (rule keys 32), and for nobody else. */
  readonly byName?: true;
}

const row = (admin: Cell, own: Cell, beneath: Cell, other: Cell, self?: Cell): Row => ({
  admin,
  own,
  beneath,
  other,
  ...(self !== undefined && { self }),
});
const notWithKey = (of: Row): Row => ({ ...of, withKey: 'no' });

/** The columns: admin, CUSTADMIN of it, CUSTADMIN above it, other user of it, the user itself. */
const ROWS = {
  'anybody with a credential': row('yes', 'yes', 'yes', 'yes'),
  'read organisation, list and read its users': row('yes', 'yes', 'yes', 'yes', 'yes'),
  // It addresses no organisation: whoever is no manager of its own lacks the role.
  'create organisation': row('yes', 'yes', 'yes', 'role'),
  // rule keys 26: managers; POST, PUT and rotate with no key of any kind.
  'read, delete service key': row('yes', 'yes', 'yes', 'role'),
  'create, update, rotate service key': notWithKey(row('yes', 'yes', 'yes', 'role')),
  // rule events 18: managers; API keys and service keys read webhooks and deliveries, nothing else.
  'read webhook': row('yes', 'yes', 'yes', 'role'),
  'change webhook': notWithKey(row('yes', 'yes', 'yes', 'role')),
  // rule other-services 2: admins; everybody else gets what an operation of admins gives (500 role).
  introspect: row('yes', 'role', 'role', 'role'),
  'update organisation': row('yes', 'yes', 'yes', 'role'),
  'delete organisation': row('yes', 'role', 'yes', 'role'),
  // rule organisations 44: managers above do it, nobody to the own organisation; managers see the state.
  'enable, disable organisation': row('yes', 'role', 'yes', 'role'),
  'read state of organisation': row('yes', 'yes', 'yes', 'role'),
  'list sub-organisations': row('yes', 'yes', 'yes', 'role'),
  invitations: row('yes', 'yes', 'yes', 'role'),
  'patch user': row('yes', 'yes', 'yes', 'role', 'yes'),
  'enable, disable, delete user': row('yes', 'yes', 'yes', 'role', 'role'),
  'second factor': notWithKey(row('yes', 'yes', 'yes', 'role', 'yes')),
  'belongings of a user': row('yes', 'yes', 'yes', 'no', 'yes'),
  // rule keys 8 forbids a key to create keys. Changing one is refused likewise: a key whose whitelist it
  // may itself widen has none.
  'create or update API key': notWithKey(row('no', 'no', 'no', 'no', 'yes')),
  // rule passkeys 7: GET and DELETE by the user and managers, POST and PUT by the user; no
  // key changes a second factor.
  'delete passkey': notWithKey(row('yes', 'yes', 'yes', 'no', 'yes')),
  'make or rename passkey': notWithKey(row('no', 'no', 'no', 'no', 'yes')),
  'make recovery codes': notWithKey(row('no', 'no', 'no', 'no', 'yes')),
  preferences: row('no', 'no', 'no', 'no', 'yes'),
  'change password': notWithKey(row('no', 'no', 'no', 'no', 'yes')),
  'managers change': row('yes', 'yes', 'yes', 'role'),
  // Admins (rule support 1), who only read what an organisation allows (rule support 8).
  'log in for support': notWithKey(row('yes', 'role', 'role', 'role')),
  // rule login-links 1: 403 for every person.
  'make a login link': { ...row('no', 'no', 'no', 'no', 'no'), byName: true },
  'change teams of grant': { ...row('yes', 'yes', 'yes', 'role'), withKey: 'person' },
  'change support access': row('no', 'yes', 'yes', 'role'),
  'users of it read': row('yes', 'yes', 'yes', 'yes'),
  'migrated users': row('yes', 'role', 'role', 'role'),
  // It sets `cp3Password`, and a key changes no password.
  'change migrated user': notWithKey(row('yes', 'role', 'role', 'role')),
  // rule documents 7: managers and ROLE_FINANCE of the organisation read; admins hand over and send.
  'read documents': { ...row('yes', 'yes', 'yes', 'role'), finance: 'yes' },
  'hand documents over': row('yes', 'role', 'role', 'role'),
  // rule billing 1, rule billing 3: admins.
  'keep price groups': row('yes', 'role', 'role', 'role'),
  'billing of an organisation': row('yes', 'role', 'role', 'role'),
  'keep brands': row('yes', 'role', 'role', 'role'),
  // rule register 5: ROLE_ADMIN, others 403.
  'keep the register': row('yes', 'no', 'no', 'no'),
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof ROWS;

const O = '/v1/organisations/:organisationId';
const U = `${O}/users/:userId`;
const TEAM_KINDS = ['apps', 'domains', 'mailgroups', 'systems'];

/** The row of each method that a collection serves. */
type CollectionRows = Readonly<Partial<Record<'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE', RowName>>>;

/** The routes of a collection: POST adds a record, GET lists all and reads one, the others are of one. */
const crud = (base: string, id: string, rows: CollectionRows): Record<string, RowName> => {
  const record = `${base}/:${id}`;
  const paths = { POST: [base], GET: [base, record], PUT: [record], PATCH: [record], DELETE: [record] };
  return Object.fromEntries(
    Object.entries(rows).flatMap(([method, rowName]) =>
      paths[method as keyof CollectionRows].map((path) => [`${method} ${path}`, rowName]),
    ),
  );
};

/** One row for POST, GET, PUT and DELETE. */
const every = (rowName: RowName): CollectionRows => ({
  POST: rowName,
  GET: rowName,
  PUT: rowName,
  DELETE: rowName,
});
const managed: CollectionRows = { ...every('managers change'), GET: 'users of it read' };

const IN_BOTH: Record<string, RowName> = {
  'GET /v1/whoami': 'anybody with a credential',
  'GET /v1/entities/systems/:entityId/authorizedkeys': 'list sub-organisations',
  'POST /v1/access/introspect': 'introspect',
  [`GET ${O}/audit`]: 'list sub-organisations',
  // rule rights 31: managers.
  [`GET ${O}/access`]: 'list sub-organisations',
  // rule events 12: managers.
  [`GET ${O}/events`]: 'list sub-organisations',
  'POST /v1/logout': 'anybody with a credential',
  'GET /v1/organisations': 'anybody with a credential',
  'POST /v1/organisations': 'create organisation',
  'GET /v1/countries': 'anybody with a credential',
  'GET /v1/organisationTypes': 'anybody with a credential',
  'GET /v1/roles': 'anybody with a credential',
  'GET /v1/notificationGroups': 'anybody with a credential',
  'GET /v1/pricegroups': 'keep price groups',
  'POST /v1/pricegroups': 'keep price groups',
  'PUT /v1/pricegroups/:pricegroupId': 'keep price groups',
  'DELETE /v1/pricegroups/:pricegroupId': 'keep price groups',
  [`GET ${O}/billing`]: 'billing of an organisation',
  [`PUT ${O}/billing`]: 'billing of an organisation',
  [`PATCH ${O}/billing`]: 'billing of an organisation',
  // rule brands 11, rule brands 12.
  [`GET ${O}/brand`]: 'users of it read',
  [`PUT ${O}/brand`]: 'keep brands',
  [`DELETE ${O}/brand`]: 'keep brands',
  [`GET ${O}`]: 'read organisation, list and read its users',
  [`PUT ${O}`]: 'update organisation',
  [`PATCH ${O}`]: 'update organisation',
  [`DELETE ${O}`]: 'delete organisation',
  [`GET ${O}/organisations`]: 'list sub-organisations',
  [`GET ${O}/actions`]: 'read state of organisation',
  [`POST ${O}/actions`]: 'enable, disable organisation',
  ...crud(`${O}/invitations`, 'invitationId', every('invitations')),
  [`GET ${O}/invitations/:invitationId/check`]: 'invitations',
  [`POST ${O}/invitations/:invitationId/resend`]: 'invitations',
  ...crud(`${O}/users`, 'userId', {
    GET: 'read organisation, list and read its users',
    PATCH: 'patch user',
    DELETE: 'enable, disable, delete user',
  }),
  [`POST ${U}/actions`]: 'enable, disable, delete user',
  [`POST ${U}/changepassword`]: 'change password',
  ...crud(`${U}/contacts`, 'contactId', every('belongings of a user')),
  ...crud(`${O}/contacts`, 'contactId', every('managers change')),
  [`GET ${O}/entities`]: 'users of it read',
  [`GET ${O}/notifications`]: 'users of it read',
  [`GET ${O}/notifications/crm`]: 'users of it read',
  [`POST ${O}/notifications`]: 'managers change',
  [`GET ${U}/logins`]: 'belongings of a user',
  [`DELETE ${U}/logins`]: 'belongings of a user',
  [`DELETE ${U}/logins/:loginId`]: 'belongings of a user',
  ...crud(`${U}/sshkeys`, 'sshkeyId', every('belongings of a user')),
  ...crud(`${O}/sshkeys`, 'sshkeyId', managed),
  ...crud(`${O}/teams`, 'teamId', managed),
  ...crud(`${O}/servicekeys`, 'serviceKeyId', {
    ...every('create, update, rotate service key'),
    GET: 'read, delete service key',
    DELETE: 'read, delete service key',
  }),
  [`POST ${O}/servicekeys/:serviceKeyId/rotate`]: 'create, update, rotate service key',
  ...crud(`${O}/webhooks`, 'webhookId', { ...every('change webhook'), GET: 'read webhook' }),
  [`POST ${O}/webhooks/:webhookId/rotate`]: 'change webhook',
  [`POST ${O}/webhooks/:webhookId/test`]: 'change webhook',
  [`GET ${O}/webhooks/:webhookId/deliveries`]: 'read webhook',
  [`POST ${O}/webhooks/:webhookId/deliveries/:deliveryId/resend`]: 'change webhook',
  // rule grants 2: managers; rule grants 39: with keys too, but for the teams (rule grants 44).
  ...crud(`${O}/grants`, 'grantId', every('managers change')),
  [`PUT ${O}/grants/:grantId/teams/:teamId`]: 'change teams of grant',
  [`DELETE ${O}/grants/:grantId/teams/:teamId`]: 'change teams of grant',
  [`GET ${O}/supportaccess`]: 'list sub-organisations',
  [`PUT ${O}/supportaccess`]: 'change support access',
  [`POST ${U}/supportlogins`]: 'log in for support',
  [`POST ${U}/loginlinks`]: 'make a login link',
  ...crud(`${O}/documents`, 'documentId', {
    GET: 'read documents',
    PUT: 'hand documents over',
    DELETE: 'hand documents over',
  }),
  [`GET ${O}/documents/:documentId/pdf`]: 'read documents',
  [`GET ${O}/documents/:documentId/xml`]: 'read documents',
  [`POST ${O}/documents/:documentId/send`]: 'hand documents over',
  [`PUT ${O}/teams/:teamId/users/:userId`]: 'managers change',
  [`DELETE ${O}/teams/:teamId/users/:userId`]: 'managers change',
  ...Object.fromEntries(
    TEAM_KINDS.flatMap((kind) => [
      [`POST ${O}/teams/:teamId/${kind}`, 'managers change'],
      [`DELETE ${O}/teams/:teamId/${kind}/:objectId`, 'managers change'],
      [`PUT /v1/entities/${kind}/:entityId`, 'keep the register'],
      [`DELETE /v1/entities/${kind}/:entityId`, 'keep the register'],
    ]),
  ),
};

/**
 * What exists in one variant only: rule variant-b 2, rule variant-b 3. The row of every route, by method and
 * path.
 */
export const RULES: PerVariant<Readonly<Record<string, RowName>>> = {
  A: {
    ...IN_BOTH,
    [`PATCH ${U}/enable2fa`]: 'second factor',
    [`PATCH ${U}/disable2fa`]: 'second factor',
    [`GET ${U}/recoverycodes`]: 'belongings of a user',
    [`POST ${U}/recoverycodes`]: 'make recovery codes',
    [`POST ${U}/passkeys/options`]: 'make or rename passkey',
    ...crud(`${U}/passkeys`, 'passkeyId', {
      ...every('make or rename passkey'),
      GET: 'belongings of a user',
      DELETE: 'delete passkey',
    }),
    ...crud(`${U}/token2fa`, 'token2faId', { GET: 'belongings of a user', DELETE: 'belongings of a user' }),
    ...crud(`${U}/apikeys`, 'apiKeyId', {
      ...every('create or update API key'),
      GET: 'belongings of a user',
      DELETE: 'belongings of a user',
    }),
    [`POST ${U}/apikeys/:apiKeyId/rotate`]: 'create or update API key',
    [`GET ${U}/preferences`]: 'preferences',
    [`PATCH ${U}/preferences`]: 'preferences',
  },
  B: {
    ...IN_BOTH,
    [`POST ${O}/users`]: 'migrated users',
    [`POST ${O}/userandcontact`]: 'migrated users',
    [`PATCH ${O}/cp3/users/:userId`]: 'change migrated user',
    [`GET ${O}/acls`]: 'managers change',
    [`POST ${O}/acls`]: 'managers change',
    [`DELETE ${O}/acls/:granteeId`]: 'managers change',
  },
};

/** What every service key may do, whatever its operations are: rule rights 30. */
export const FOR_EVERY_SERVICE_KEY: readonly string[] = ['GET /v1/whoami', 'POST /v1/logout'];

/**
 * What grants cover, written by hand from docs/rules/grants.md, and deliberately not from privileges.ts:
 * `read`, every grant; `manage`, those to manage alone. What is not here no grant covers.
 */
export const COVERED: Readonly<Partial<Record<Operation, 'read' | 'manage'>>> = {
  // rule grants 17.
  'organisations.read': 'read',
  'brands.read': 'read',
  'users.list': 'read',
  'users.read': 'read',
  'entities.overview': 'read',

  // rule grants 20.
  'organisations.update': 'manage',
  'organisationContacts.list': 'manage',
  'organisationContacts.read': 'manage',
  'teams.list': 'manage',
  'teams.read': 'manage',
  'teams.updateEntities': 'manage',
  'sshkeys.list': 'manage',
  'sshkeys.read': 'manage',
  'deployKeys.list': 'manage',
  'deployKeys.read': 'manage',
  'notifications.list': 'manage',
};

/** Methods that a read-only API key may send; all others are refused, whatever the table says. */
export const READ_ONLY_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Whether no group of operations has it, and no person does it. */
export function isByName(rule: RowName): boolean {
  const { byName }: Row = ROWS[rule];
  return byName === true;
}

/** Refusals with a reason of their own. */
type Refusal = 'uncovered' | 'person';

/** One question to the table. */
interface Question {
  readonly rule: RowName;
  readonly roles: readonly string[];
  readonly withKey: boolean;
  /** How the caller's organisation relates to the addressed one; undefined where none is addressed. */
  readonly organisation: { own: boolean; beneath: boolean; grant: 'read' | 'manage' | undefined } | undefined;
  /** Of the route, by which grants cover it. */
  readonly operation: Operation;
  /** The addressed user; undefined where none is addressed. */
  readonly user: { isSelf: boolean; isAdmin: boolean } | undefined;
}

/** The answer of docs/rules/rights.md and grants.md to a question. */
export function cellOf({ rule, roles, withKey, organisation, operation, user }: Question): Cell | Refusal {
  const cells: Row = ROWS[rule];
  const isAdmin = roles.includes('ROLE_ADMIN');
  const isCustadmin = roles.includes('ROLE_CUSTADMIN');
  if (cells.byName === true) return 'no';
  if (withKey && cells.withKey !== undefined) return cells.withKey;
  if (user?.isSelf === true && cells.self === 'yes') return 'yes';
  // "An admin on itself: allowed, but for the last-admin rule."
  if (isAdmin) return cells.admin;
  if (user?.isSelf === true && cells.self !== undefined) return cells.self;
  const isHome = organisation === undefined || organisation.own;
  const isAbove = organisation?.beneath === true && isCustadmin;
  const grant = isHome || isAbove ? undefined : organisation.grant;
  // "What is refused is 403 GRANT_DOES_NOT_COVER, for reading as for writing."
  const coveredBy = COVERED[operation];
  if (grant !== undefined && (coveredBy === undefined || (coveredBy === 'manage' && grant === 'read')))
    return 'uncovered';
  // "A CUSTADMIN never acts on a user who holds ROLE_ADMIN (403)": reading the user is no act.
  const acts = rule !== 'read organisation, list and read its users';
  if ((isCustadmin || grant !== undefined) && acts && user?.isAdmin === true && !user.isSelf) return 'no';
  if (isHome) {
    const other = roles.includes('ROLE_FINANCE') ? (cells.finance ?? cells.other) : cells.other;
    return isCustadmin ? cells.own : other;
  }
  if (isAbove) return cells.beneath;
  return grant === undefined ? 'no' : 'yes';
}
