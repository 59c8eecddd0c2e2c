import type { Caller } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/impersonation';
import type { ContactGroup } from './contact.types';

/**
 * Throws 403 for an impersonated login if a contact has or gets the group System: its notifications are of
 * keys, second factors and grants (rule support 20).
 */
export function assertMayChangeGroups(
  caller: Pick<Caller, 'impersonator'>,
  ...groups: readonly (readonly ContactGroup[])[]
): void {
  if (groups.some((ofContact) => ofContact.includes('System'))) assertActsItself(caller);
}
