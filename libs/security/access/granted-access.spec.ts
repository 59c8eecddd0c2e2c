import { type AddressedUser, decide, type OrganisationRelation } from './access-evaluation';
import { type Operation, type Privilege, PRIVILEGES, type Verdict } from './privileges';
import type { Role } from './roles';

const CALLER_ID = 7;
const OTHER_ID = 8;
const NOWHERE: OrganisationRelation = { own: false, beneath: false, granted: false };
const MANAGED: OrganisationRelation = { ...NOWHERE, granted: 'manage' };

const verdictOf = (
  privilege: Privilege,
  roles: readonly Role[],
  organisation: OrganisationRelation,
): Verdict =>
  decide(
    privilege,
    { roles, userId: CALLER_ID, credential: { kind: 'login', id: 1 } },
    organisation,
    undefined,
  ).verdict;

/** decisions.md 14.1: what nobody does by a grant, although a CUSTADMIN may. */
const NEVER_BY_GRANT: ReadonlySet<Operation> = new Set<Operation>([
  // What a writing support login may not, and what no API key does.
  'servicekeys.create',
  'servicekeys.update',
  'servicekeys.rotate',
  'servicekeys.delete',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotate',
  'webhooks.test',
  'webhooks.resend',
  'sshkeys.create',
  'sshkeys.update',
  'sshkeys.delete',
  'deployKeys.create',
  'deployKeys.update',
  'deployKeys.delete',
  'apikeys.delete',
  'tokens2fa.delete',
  'passkeys.delete',
  'users.enable2fa',
  'users.disable2fa',
  'supportaccess.update',
  'grants.create',
  'grants.update',
  'grants.delete',
  'grants.updateTeams',
  'acls.create',
  'acls.delete',
  // "Never" includes lists and reads of what is named.
  'servicekeys.list',
  'servicekeys.read',
  'webhooks.list',
  'webhooks.read',
  'webhooks.listDeliveries',
  'apikeys.list',
  'apikeys.read',
  'passkeys.list',
  'passkeys.read',
  'recoveryCodes.read',
  'tokens2fa.list',
  'tokens2fa.read',
  'logins.list',
  'logins.delete',
  'logins.deleteOthers',
  'supportaccess.read',
  'grants.list',
  'grants.read',
  'acls.list',
  'organisations.readState',
  'audit.list',
  'events.list',
  // What lies beneath.
  'organisations.listBeneath',
  // Section 14.3: not with grants.
  'access.list',
]);

describe('a user who manages by a grant', () => {
  const person = (...roles: Role[]): AddressedUser => ({ id: OTHER_ID, roles, username: 'jan@example.com' });
  const byOf = (operation: Operation, user?: AddressedUser, organisation: OrganisationRelation = MANAGED) =>
    decide(
      PRIVILEGES[operation],
      { roles: [], userId: CALLER_ID, credential: { kind: 'login', id: 1 } },
      organisation,
      user,
    ).by;

  it.each(Object.keys(PRIVILEGES) as Operation[])('does %s as decisions.md 14.1 says', (operation) => {
    const custadmin = verdictOf(PRIVILEGES[operation], ['ROLE_CUSTADMIN'], { ...NOWHERE, own: true });
    const isBeyond = custadmin === 'allow' && NEVER_BY_GRANT.has(operation);
    const isRead = PRIVILEGES[operation].granted === 'allow';
    expect(byOf(operation)).toBe(isBeyond ? 'grantCoverage' : isRead ? 'granted' : 'grantedManage');
    expect(verdictOf(PRIVILEGES[operation], [], MANAGED)).toBe(isBeyond ? 'deny' : custadmin);
  });

  it.each(['users.update', 'users.delete', 'users.setEnabled', 'contacts.list', 'contacts.update'] as const)(
    'does %s to others, not to a CUSTADMIN',
    (operation) => {
      expect(byOf(operation, person('ROLE_APP'))).toBe('grantedManage');
      expect(byOf(operation, person('ROLE_CUSTADMIN'))).toBe('grantCoverage');
      expect(byOf(operation, person('ROLE_ADMIN'))).toBe('adminAddressed');
    },
  );

  it('keeps off the contacts of users whose name is no address, to whom mail for a new password goes', () => {
    const unnamed = { ...person(), username: 'jan' };
    expect(byOf('contacts.read', unnamed)).toBe('grantCoverage');
    expect(byOf('users.setEnabled', unnamed)).toBe('grantedManage');
  });

  it('reads on without the second factor that the organisation demands', () => {
    const unproven = { ...NOWHERE, granted: 'unproven' } as const;
    expect(byOf('teams.list', undefined, unproven)).toBe('grantSecondFactor');
    expect(byOf('organisations.read', undefined, unproven)).toBe('granted');
    expect(byOf('audit.list', undefined, unproven)).toBe('grantCoverage');
    expect(byOf('organisations.delete', undefined, unproven)).toBe('grantedManage');
  });
});

it.each(Object.entries(PRIVILEGES))('%s beneath is no less than by a grant', (_, privilege) => {
  const beneath = verdictOf(privilege, ['ROLE_CUSTADMIN'], { ...NOWHERE, beneath: true });
  for (const granted of ['read', 'manage'] as const) {
    if (verdictOf(privilege, [], { ...NOWHERE, granted }) === 'allow') expect(beneath).toBe('allow');
  }
});
