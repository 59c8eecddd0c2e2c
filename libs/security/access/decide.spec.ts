import { type AddressedUser, decide, type OrganisationRelation } from './access-evaluation';
import { isForSupport, type Operation, type Privilege, PRIVILEGES, type Verdict } from './privileges';
import type { Role } from './roles';

const CALLER_ID = 7;
const OTHER_ID = 8;

type Column = keyof Omit<Privilege, 'acts' | 'apiKey' | 'support' | 'grantRefuses'>;

/** A privilege whose columns differ by nothing but their own name. */
const only = (column: Column, rest: Verdict = 'deny'): Privilege => ({
  acts: true,
  admin: rest,
  custadminOwn: rest,
  custadminBeneath: rest,
  member: rest,
  granted: rest,
  [column]: 'allow',
});

const NOWHERE: OrganisationRelation = { own: false, beneath: false, granted: false };
const OWN = { ...NOWHERE, own: true };
const BENEATH = { ...NOWHERE, beneath: true };
const GRANTED = { ...NOWHERE, granted: 'read' } as const;

interface Session {
  readonly roles?: readonly Role[];
  readonly kind?: 'login' | 'api_key';
  readonly organisation?: OrganisationRelation;
  readonly user?: AddressedUser;
}

const verdict = (
  privilege: Privilege,
  { roles = [], kind = 'login', organisation, user }: Session,
): Verdict =>
  decide(privilege, { roles, userId: CALLER_ID, credential: { kind, id: 1 } }, organisation, user).verdict;

const CASES: readonly [name: string, column: Column, session: Session][] = [
  ['an admin, wherever', 'admin', { roles: ['ROLE_ADMIN'], organisation: NOWHERE }],
  ['an admin who is custadmin too', 'admin', { roles: ['ROLE_CUSTADMIN', 'ROLE_ADMIN'], organisation: OWN }],
  ['a custadmin at home', 'custadminOwn', { roles: ['ROLE_CUSTADMIN'], organisation: OWN }],
  ['a custadmin where nothing is addressed', 'custadminOwn', { roles: ['ROLE_CUSTADMIN'] }],
  ['a custadmin beneath', 'custadminBeneath', { roles: ['ROLE_CUSTADMIN'], organisation: BENEATH }],
  [
    'a custadmin beneath who holds a grant too',
    'custadminBeneath',
    { roles: ['ROLE_CUSTADMIN'], organisation: { ...BENEATH, granted: 'manage' } },
  ],
  ['a bookkeeper at home', 'finance', { roles: ['ROLE_FINANCE'], organisation: OWN }],
  [
    'a bookkeeper who is custadmin too',
    'custadminOwn',
    { roles: ['ROLE_FINANCE', 'ROLE_CUSTADMIN'], organisation: OWN },
  ],
  ['a user at home', 'member', { roles: ['ROLE_FINANCE'], organisation: OWN }],
  ['a user where nothing is addressed', 'member', {}],
  ['a user with a grant', 'granted', { organisation: GRANTED }],
  ['a custadmin with a grant', 'granted', { roles: ['ROLE_CUSTADMIN'], organisation: GRANTED }],
  ['a user beneath with a grant', 'granted', { organisation: { ...BENEATH, granted: 'read' } }],
  ['oneself', 'self', { organisation: OWN, user: { id: CALLER_ID, roles: [] } }],
  ['oneself, an admin', 'self', { roles: ['ROLE_ADMIN'], user: { id: CALLER_ID, roles: ['ROLE_ADMIN'] } }],
];

it.each(CASES)('%s is judged by the column %s', (_, column, session) => {
  expect(verdict(only(column), session)).toBe('allow');
  expect(verdict(only(column, 'role'), session)).toBe('allow');
});

it.each([
  ['a custadmin elsewhere', { roles: ['ROLE_CUSTADMIN'], organisation: NOWHERE }],
  ['a user elsewhere', { organisation: NOWHERE }],
  ['a user beneath', { organisation: BENEATH }],
  ['a bookkeeper beneath', { roles: ['ROLE_FINANCE'], organisation: BENEATH }],
] satisfies [string, Session][])('%s is denied, whatever the table says', (_, session) => {
  const everything: Privilege = { ...only('admin', 'allow'), self: 'allow', finance: 'allow' };
  expect(verdict(everything, session)).toBe('deny');
});

it('lets no key do what a key may not, be it an admin or oneself', () => {
  const privilege: Privilege = { ...only('admin', 'allow'), self: 'allow', apiKey: 'deny' };
  const user = { id: CALLER_ID, roles: [] };
  expect(verdict(privilege, { roles: ['ROLE_ADMIN'], kind: 'api_key', user })).toBe('deny');
  expect(verdict(privilege, { roles: ['ROLE_ADMIN'], kind: 'login', user })).toBe('allow');
  expect(verdict({ ...privilege, apiKey: undefined }, { kind: 'api_key', user, organisation: OWN })).toBe(
    'allow',
  );
});

it('refuses what one may not do to oneself, except to an admin', () => {
  const privilege: Privilege = { ...only('admin', 'allow'), self: 'role' };
  const user = { id: CALLER_ID, roles: [] };
  expect(verdict(privilege, { roles: ['ROLE_CUSTADMIN'], organisation: OWN, user })).toBe('role');
  expect(verdict(privilege, { roles: ['ROLE_ADMIN'], organisation: OWN, user })).toBe('allow');
  expect(
    verdict(privilege, { roles: ['ROLE_CUSTADMIN'], organisation: OWN, user: { id: OTHER_ID, roles: [] } }),
  ).toBe('allow');
});

describe('a user who holds ROLE_ADMIN', () => {
  const admin = { id: OTHER_ID, roles: ['ROLE_ADMIN'] } satisfies AddressedUser;
  const custadmin: Session = { roles: ['ROLE_CUSTADMIN'], organisation: OWN };

  it('is not acted on by a custadmin', () => {
    expect(verdict(only('custadminOwn', 'allow'), { ...custadmin, user: admin })).toBe('deny');
    expect(verdict(only('custadminOwn', 'role'), { ...custadmin, user: admin })).toBe('deny');
    expect(
      verdict(only('custadminOwn', 'role'), { ...custadmin, user: { id: OTHER_ID, roles: ['ROLE_APP'] } }),
    ).toBe('allow');
  });

  it('is read by whoever reads users, and acted on by admins', () => {
    expect(verdict({ ...only('custadminOwn'), acts: false }, { ...custadmin, user: admin })).toBe('allow');
    expect(verdict(only('admin', 'role'), { roles: ['ROLE_ADMIN'], organisation: OWN, user: admin })).toBe(
      'allow',
    );
  });

  it('leaves a missing role a missing role', () => {
    expect(verdict(only('admin', 'role'), { organisation: OWN, user: admin })).toBe('role');
  });
});

/**
 * decisions.md section 3, a line for each group of operations: admin, custadmin at home, custadmin beneath, other user,
 * grant, self, a `k` where a key may not and an `f` where ROLE_FINANCE at home may. A allow, r role, d deny.
 */
const TABLE: readonly [columns: string, ...operations: Operation[]][] = [
  ['AAAAA ', 'session.whoami', 'session.logout', 'organisations.list', 'organisations.read'],
  ['AAAAA ', 'users.list', 'users.read', 'entities.overview'],
  ['AAArr ', 'organisations.create', 'access.explain'],
  ['AAArd ', 'organisations.update', 'organisations.listBeneath', 'organisations.readState', 'audit.list'],
  ['AAArd ', 'servicekeys.list', 'servicekeys.read', 'servicekeys.delete'],
  ['AAArdk', 'servicekeys.create', 'servicekeys.update', 'servicekeys.rotate'],
  ['AAArd ', 'webhooks.list', 'webhooks.read', 'webhooks.listDeliveries'],
  [
    'AAArdk',
    'webhooks.create',
    'webhooks.update',
    'webhooks.delete',
    'webhooks.rotate',
    'webhooks.test',
    'webhooks.resend',
  ],
  ['AAArd ', 'systems.authorizedKeys', 'supportaccess.read', 'events.list', 'access.list'],
  ['dAArd ', 'supportaccess.update'],
  ['Arrrdk', 'supportlogins.create'],
  ['ArArd ', 'organisations.delete', 'organisations.setEnabled'],
  ['AAArdA', 'users.update'],
  ['AAArdr', 'users.delete', 'users.setEnabled'],
  ['dddddAk', 'users.changePassword', 'apikeys.create', 'apikeys.update', 'apikeys.rotate'],
  ['dddddAk', 'recoveryCodes.create', 'passkeys.create', 'passkeys.update'],
  ['dddddA', 'preferences.read', 'preferences.update'],
  ['AAArdAk', 'users.enable2fa', 'users.disable2fa'],
  ['AAArd ', 'invitations.list', 'invitations.read', 'invitations.create'],
  ['AAArd ', 'invitations.update', 'invitations.delete', 'invitations.check', 'invitations.resend'],
  ['AAAddA', 'contacts.list', 'contacts.read', 'contacts.create', 'contacts.update', 'contacts.delete'],
  ['AAAddA', 'sshkeys.list', 'sshkeys.read', 'sshkeys.create', 'sshkeys.update', 'sshkeys.delete'],
  ['AAAddA', 'recoveryCodes.read', 'passkeys.list', 'passkeys.read'],
  ['AAAddAk', 'passkeys.delete'],
  ['AAAddA', 'logins.list', 'logins.delete', 'logins.deleteOthers'],
  ['AAAddA', 'tokens2fa.list', 'tokens2fa.read', 'tokens2fa.delete'],
  ['AAAddA', 'apikeys.list', 'apikeys.read', 'apikeys.delete'],
  ['AAAAd ', 'deployKeys.list', 'deployKeys.read', 'teams.list', 'teams.read', 'notifications.list'],
  ['AAArd ', 'deployKeys.create', 'deployKeys.update', 'deployKeys.delete'],
  ['AAArd ', 'teams.create', 'teams.update', 'teams.delete', 'teams.updateMembers', 'teams.updateEntities'],
  ['AAArd ', 'organisationContacts.list', 'organisationContacts.read', 'organisationContacts.create'],
  ['AAArd ', 'organisationContacts.update', 'organisationContacts.delete', 'notifications.create'],
  ['AAArd f', 'documents.list', 'documents.read'],
  ['Arrrd ', 'documents.put', 'documents.delete', 'documents.send', 'billing.read', 'billing.update'],
  ['AAAAA ', 'countries.list', 'organisationTypes.list', 'roles.list', 'notificationGroups.list'],
  ['Arrrr ', 'pricegroups.list', 'pricegroups.create', 'pricegroups.update', 'pricegroups.delete'],
  ['AAArd ', 'acls.list', 'acls.create', 'acls.delete'],
  ['AAArd ', 'grants.list', 'grants.read'],
  ['AAArdk', 'grants.create', 'grants.update', 'grants.delete', 'grants.updateTeams'],
  ['Adddd ', 'entities.register', 'entities.remove'],
  ['Arrrd ', 'users.createMigrated'],
  ['Arrrr ', 'testClock.move', 'access.introspect', 'access.check'],
  ['Arrrdk', 'users.updateMigrated'],
];

/** Operations that affect no user, so they are allowed on a user who holds ROLE_ADMIN. */
const READS: ReadonlySet<Operation> = new Set<Operation>([
  'access.explain',
  'access.introspect',
  'access.check',
  'access.list',
  'audit.list',
  'servicekeys.list',
  'servicekeys.read',
  'webhooks.list',
  'webhooks.read',
  'webhooks.listDeliveries',
  'systems.authorizedKeys',
  'supportaccess.read',
  'events.list',
  'session.whoami',
  'session.logout',
  'entities.overview',
  'organisations.list',
  'organisations.read',
  'organisations.listBeneath',
  'organisations.readState',
  'users.list',
  'users.read',
  'acls.list',
  'grants.list',
  'grants.read',
  'invitations.list',
  'invitations.read',
  'invitations.check',
  'deployKeys.list',
  'deployKeys.read',
  'teams.list',
  'teams.read',
  'organisationContacts.list',
  'organisationContacts.read',
  'notifications.list',
  'documents.list',
  'documents.read',
  'billing.read',
  'countries.list',
  'organisationTypes.list',
  'roles.list',
  'notificationGroups.list',
  'pricegroups.list',
]);

/** decisions.md 12.8: what no support login does, beside what no API key does. */
const NEVER_FOR_SUPPORT: ReadonlySet<Operation> = new Set<Operation>([
  'servicekeys.delete',
  'sshkeys.create',
  'sshkeys.update',
  'sshkeys.delete',
  'deployKeys.create',
  'deployKeys.update',
  'deployKeys.delete',
  'apikeys.delete',
  'tokens2fa.delete',
  'supportaccess.update',
  // They set a password, a name and roles.
  'users.createMigrated',
  // Only for tests.
  'testClock.move',
  // Section 14.3: not with support logins, although it reads.
  'access.list',
]);

const READING =
  /\.(list|listBeneath|listDeliveries|read|readState|whoami|overview|authorizedKeys)$|^invitations\.check$/;

function supportOf(operation: Operation, columns: string): Privilege['support'] {
  if (operation === 'session.logout') return 'always';
  if (READING.test(operation) && !NEVER_FOR_SUPPORT.has(operation)) return 'read';
  return columns.includes('k') || NEVER_FOR_SUPPORT.has(operation) ? undefined : 'write';
}

const WORDS: Readonly<Record<string, Verdict | undefined>> = { A: 'allow', r: 'role', d: 'deny' };

describe('the privilege table', () => {
  const lines = TABLE.flatMap(([columns, ...operations]) =>
    operations.map((operation): [Operation, string] => [operation, columns]),
  );

  it.each(lines)('says of %s: %s', (operation, columns) => {
    const [admin, custadminOwn, custadminBeneath, member, granted, self] = [...columns].map(
      (word) => WORDS[word],
    );
    const { acts, apiKey, support, grantRefuses: _, ...verdicts } = PRIVILEGES[operation];
    expect(acts).toBe(!READS.has(operation));
    expect(verdicts).toEqual({
      admin,
      custadminOwn,
      custadminBeneath,
      member,
      granted,
      ...(self && { self }),
      ...(columns.endsWith('f') && { finance: 'allow' }),
    });
    expect(apiKey).toBe(columns.endsWith('k') ? 'deny' : undefined);
    expect(support).toBe(supportOf(operation, columns));
  });

  it('lets support logins do nothing that a row does not say', () => {
    const { support: _, ...silent } = PRIVILEGES['teams.update'];
    expect([isForSupport(silent, true), isForSupport(silent, false)]).toEqual([false, false]);
    const keysMayNot = { ...PRIVILEGES['teams.update'], apiKey: 'deny' } as const;
    expect([isForSupport(keysMayNot, true), isForSupport(keysMayNot, false)]).toEqual([false, false]);
    expect(isForSupport(PRIVILEGES['teams.list'], false)).toBe(false);
  });

  it('says something of every operation once', () => {
    expect(lines.map(([operation]) => operation).sort()).toEqual(Object.keys(PRIVILEGES).sort());
  });
});
