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

describe('a user who manages by a grant', () => {
  const person = (...roles: Role[]): AddressedUser => ({ id: OTHER_ID, roles, username: 'jan@example.com' });
  const byOf = (operation: Operation, user?: AddressedUser, organisation: OrganisationRelation = MANAGED) =>
    decide(
      PRIVILEGES[operation],
      { roles: [], userId: CALLER_ID, credential: { kind: 'login', id: 1 } },
      organisation,
      user,
    ).by;

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
    for (const act of ['list', 'read', 'create', 'update', 'delete'] as const)
      expect(byOf(`contacts.${act}`, unnamed)).toBe('grantCoverage');
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
