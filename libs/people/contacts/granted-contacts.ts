import { assertNoSupport } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';
import type { ContactGroup } from './contact.types';

/**
 * Throws 403 for a user by a grant and for a support login if a contact has or gets the group System: its
 * news are of keys, second factors and grants (rule grants 44, rule support 20).
 */
export function assertMayChangeGroups(
  caller: Pick<Caller, 'credential' | 'grant'>,
  ...groups: readonly (readonly ContactGroup[])[]
): void {
  if (groups.some((ofContact) => ofContact.includes('System'))) assertNoSupport(caller);
}

/** The grant by which the caller chooses the address of a contact. */
export const choosingGrant = ({ grant }: Pick<Caller, 'grant'>): number | null => grant?.id ?? null;
