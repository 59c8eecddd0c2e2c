import { isAdmin, type Caller } from './caller';
import { isRole, type Role } from './roles';

/** Id of the operator organisation, the root of the tree. */
export const OPERATOR_ORGANISATION = 1;

/**
 * What is wrong with roles that a manager wants to give to a user of an organisation, or undefined. A manager
 * never gives a role that its own reach does not cover (decisions.md section 3).
 */
export function faultOfRoles(
  giver: Pick<Caller, 'roles'>,
  organisationId: number,
  roles: readonly string[],
): string | undefined {
  const unknown = roles.filter((role) => !isRole(role));
  if (unknown.length > 0) return `Unknown role: ${unknown.join(', ')}.`;
  if (!roles.includes('ROLE_ADMIN')) return undefined;
  if (!isAdmin(giver)) return 'ROLE_ADMIN can only be given by an admin.';
  return organisationId === OPERATOR_ORGANISATION
    ? undefined
    : 'ROLE_ADMIN can only be held in the operator organisation.';
}

/** Roles that {@link faultOfRoles} found nothing wrong with. */
export const rolesOf = (texts: readonly string[]): Role[] => texts.filter(isRole);
