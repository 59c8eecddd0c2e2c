import type { UsedGrant } from './access.queries';
import { type AddressedUser, decide, type OrganisationRelation } from './access-evaluation';
import { isForImpersonator, type Privilege, PRIVILEGES, type Verdict } from './privileges';
import type { Role } from './roles';

const CALLER_ID = 7;
const OTHER_ID = 8;

type Column = keyof Omit<Privilege, 'acts' | 'apiKey' | 'serviceKeys' | 'support' | 'byGrant' | 'byLink'>;

/** A privilege whose columns differ by nothing but their own name. */
const only = (column: Column, rest: Verdict = 'deny'): Privilege => ({
  acts: true,
  admin: rest,
  custadminOwn: rest,
  custadminBeneath: rest,
  member: rest,
  [column]: 'allow',
});

const NOWHERE: OrganisationRelation = { own: false, beneath: false, grant: null };
const OWN = { ...NOWHERE, own: true };
const BENEATH = { ...NOWHERE, beneath: true };
const TO_READ = { id: 1, access: 'read', lacksSecondFactor: false } as const;
const TO_MANAGE = { ...TO_READ, access: 'manage' } as const;

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
    { roles: ['ROLE_CUSTADMIN'], organisation: { ...BENEATH, grant: TO_MANAGE } },
  ],
  ['a bookkeeper at home', 'finance', { roles: ['ROLE_FINANCE'], organisation: OWN }],
  [
    'a bookkeeper who is custadmin too',
    'custadminOwn',
    { roles: ['ROLE_FINANCE', 'ROLE_CUSTADMIN'], organisation: OWN },
  ],
  ['a user at home', 'member', { roles: ['ROLE_FINANCE'], organisation: OWN }],
  ['a user where nothing is addressed', 'member', {}],
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

describe('a user who uses a grant', () => {
  const nothing = only('admin');
  const byGrant = (covered: Privilege['byGrant'], grant: UsedGrant, user?: AddressedUser) =>
    decide(
      covered === undefined ? nothing : { ...nothing, byGrant: covered },
      { roles: [], userId: CALLER_ID, credential: { kind: 'login', id: 1 } },
      { ...NOWHERE, grant },
      user,
    ).by;

  it.each([
    ['read', TO_READ, 'byGrant'],
    ['read', TO_MANAGE, 'byGrant'],
    ['manage', TO_READ, 'grantCoverage'],
    ['manage', TO_MANAGE, 'byGrant'],
    [undefined, TO_READ, 'grantCoverage'],
    [undefined, TO_MANAGE, 'grantCoverage'],
  ] as const)('is judged by the column alone: %s with %j', (covered, grant, by) => {
    expect(byGrant(covered, grant)).toBe(by);
  });

  it('needs the second factor that is demanded for all that the grant covers', () => {
    const unproven = { ...TO_MANAGE, lacksSecondFactor: true };
    expect(byGrant('read', unproven)).toBe('grantSecondFactor');
    expect(byGrant('manage', unproven)).toBe('grantSecondFactor');
    expect(byGrant(undefined, unproven)).toBe('grantCoverage');
  });

  it('acts on nobody who holds ROLE_ADMIN', () => {
    expect(byGrant('manage', TO_MANAGE, { id: OTHER_ID, roles: ['ROLE_ADMIN'] })).toBe('adminAddressed');
    expect(byGrant('manage', TO_MANAGE, { id: OTHER_ID, roles: ['ROLE_CUSTADMIN'] })).toBe('byGrant');
  });
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

it.each(['support', 'link'] as const)(
  'lets an impersonated login do nothing that a row does not say: %s',
  (by) => {
    const { support: _, ...silent } = PRIVILEGES['teams.update'];
    expect([isForImpersonator(silent, by, true), isForImpersonator(silent, by, false)]).toEqual([
      false,
      false,
    ]);
    const keysMayNot = { ...PRIVILEGES['teams.update'], apiKey: 'deny' } as const;
    expect([isForImpersonator(keysMayNot, by, true), isForImpersonator(keysMayNot, by, false)]).toEqual([
      false,
      false,
    ]);
    expect(isForImpersonator(PRIVILEGES['teams.list'], by, false)).toBe(false);
  },
);
