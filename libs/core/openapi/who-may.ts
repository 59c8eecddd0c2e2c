import type { Privilege } from '../access/privileges';

/** Who may do an operation, in a sentence made from the privilege table. */
export function whoMay(privilege: Privilege): string {
  const allowed = [
    [privilege.admin, 'admins'],
    [privilege.custadminOwn, 'a CUSTADMIN of the organisation'],
    [privilege.custadminBeneath, 'a CUSTADMIN above it'],
    [privilege.member, 'any user of the organisation'],
    [privilege.granted, 'users of organisations that it granted access to'],
    [privilege.self ?? 'deny', 'the user itself'],
  ]
    .filter(([verdict]) => verdict === 'allow')
    .map(([, who]) => who);
  const keys = privilege.apiKey === 'deny' ? ' Not with an API key.' : '';
  return `Allowed to ${allowed.join(', ')}.${keys}`;
}
