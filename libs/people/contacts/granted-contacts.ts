import type { Caller } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/stand-ins';
import type { ContactGroup } from './contact.types';

/**
 * Throws 403 for a user by a grant and for a login that stands in if a contact has or gets the group System:
 * its news are of keys, second factors and grants (rule grants 44, rule support 20).
 */
export function assertMayChangeGroups(
  caller: Pick<Caller, 'standsIn' | 'grant'>,
  ...groups: readonly (readonly ContactGroup[])[]
): void {
  if (groups.some((ofContact) => ofContact.includes('System'))) assertActsItself(caller);
}

/** The grant by which the caller chooses the address of a contact. */
export const choosingGrant = ({ grant }: Pick<Caller, 'grant'>): number | null => grant?.id ?? null;
