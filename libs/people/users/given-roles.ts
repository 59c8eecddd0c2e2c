import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { assertByPerson } from '@app/security/access/for-people';
import { type Role, ROLES } from '@app/security/access/roles';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** An error for each text that is no role. */
export const unknownRoles = (texts: readonly string[]): readonly FieldError[] =>
  texts.filter((text) => !isRole(text)).map((text) => fieldError('DOES_NOT_EXIST', `Unknown role: ${text}.`));

/**
 * Validates the roles that a manager gives to a user of an organisation. A manager cannot give roles beyond
 * its own reach (rule rights 20).
 */
export function validateRoles(
  grantor: Pick<Caller, 'roles'>,
  organisationId: number,
  roles: readonly string[],
): FieldError | readonly FieldError[] | undefined {
  const unknown = unknownRoles(roles);
  if (unknown.length > 0) return unknown;
  if (!roles.includes('ROLE_ADMIN')) return undefined;
  if (!isAdmin(grantor)) return fieldError('ADMIN_ONLY', 'ROLE_ADMIN can only be given by an admin.');
  return organisationId === OPERATOR_ORGANISATION
    ? undefined
    : fieldError('OPERATOR_ROLE', 'ROLE_ADMIN can only be held in the operator organisation.');
}

/** Roles that manage others. Keys cannot give them (rule keys 9). */
const MANAGING_ROLES: ReadonlySet<string> = new Set<Role>(['ROLE_ADMIN', 'ROLE_CUSTADMIN']);

/** Throws AccessDenied if a key would give a managing role. */
export function assertRolesGivenByLogin(caller: Pick<Caller, 'credential'>, roles: readonly string[]): void {
  if (roles.some((role) => MANAGING_ROLES.has(role)))
    assertByPerson(caller, 'give a role that manages others');
}

/** Whether the change gives a role that manages others to who did not hold it. */
export const givesManagingRole = (before: readonly string[], after: readonly string[]): boolean =>
  after.some((role) => MANAGING_ROLES.has(role) && !before.includes(role));

/** Narrows the type of roles that {@link validateRoles} accepted. */
export const rolesOf = (texts: readonly string[]): Role[] => texts.filter(isRole);
