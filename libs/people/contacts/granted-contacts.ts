import type { Caller } from '@app/security/access/access.decorators';
import { assertNotByGrant } from '@app/security/access/granted-access';
import type { ContactGroup } from './contact.types';

/**
 * Throws 403 for a user by a grant if a contact has or gets the group System: its news are of keys, second factors and grants
 * (decisions.md 15.4).
 */
export function assertMayChangeGroups(
  { grant }: Pick<Caller, 'grant'>,
  ...groups: readonly (readonly ContactGroup[])[]
): void {
  if (groups.some((ofContact) => ofContact.includes('System'))) assertNotByGrant({ grant });
}

/** The grant by which the caller chooses the address of a contact. */
export const choosingGrant = ({ grant }: Pick<Caller, 'grant'>): number | null => grant?.id ?? null;
