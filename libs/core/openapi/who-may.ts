import type { Privilege } from '../access/privileges';

/** Who may do an operation, in a sentence made from the privilege table. */
export function whoMay(privilege: Privilege, path: string): string {
  const who = path.includes(':organisationId') ? whoOfOrganisation(privilege) : whoOfAll(privilege);
  const keys = privilege.apiKey === 'deny' ? ' Not with an API key.' : '';
  return `Allowed to ${who.join(', ')}.${keys}`;
}

function whoOfOrganisation(privilege: Privilege): string[] {
  return allowed([
    [privilege.admin, 'admins'],
    [privilege.custadminOwn, 'a CUSTADMIN of the organisation'],
    [privilege.custadminBeneath, 'a CUSTADMIN above it'],
    [privilege.finance ?? 'deny', 'a user of it with ROLE_FINANCE'],
    [privilege.member, 'any user of the organisation'],
    [privilege.granted, 'users of organisations that it granted access to'],
    [privilege.self ?? 'deny', 'the user itself'],
  ]);
}

/** Operations that address no organisation. */
function whoOfAll(privilege: Privilege): string[] {
  if (privilege.member === 'allow') return ['every user'];
  return allowed([
    [privilege.admin, 'admins'],
    [privilege.custadminOwn, 'every CUSTADMIN'],
  ]);
}

const allowed = (verdicts: readonly (readonly [verdict: string, who: string])[]): string[] =>
  verdicts.filter(([verdict]) => verdict === 'allow').map(([, who]) => who);
