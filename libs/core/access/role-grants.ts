import { AccessDenied } from '../errors/api-error';
import { fault, type Fault } from '../errors/fault';
import { isAdmin, type Caller } from './caller';
import { isRole, type Role } from './roles';

/** Id of the operator organisation, the root of the tree. */
export const OPERATOR_ORGANISATION = 1;

/**
 * What is wrong with roles that a manager wants to give to a user of an organisation, or undefined. A manager
 * never gives a role that its own reach does not cover (decisions.md section 3).
 */
export function validateRoles(
  giver: Pick<Caller, 'roles'>,
  organisationId: number,
  roles: readonly string[],
): Fault | readonly Fault[] | undefined {
  const unknown = roles.filter((role) => !isRole(role));
  if (unknown.length > 0) return unknown.map((role) => fault('DOES_NOT_EXIST', `Unknown role: ${role}.`));
  if (!roles.includes('ROLE_ADMIN')) return undefined;
  if (!isAdmin(giver)) return fault('ADMIN_ONLY', 'ROLE_ADMIN can only be given by an admin.');
  return organisationId === OPERATOR_ORGANISATION
    ? undefined
    : fault('OPERATOR_ROLE', 'ROLE_ADMIN can only be held in the operator organisation.');
}

/** The roles that manage others: an API key gives them to nobody, by no way (decisions.md section 11). */
const MANAGING_ROLES: ReadonlySet<string> = new Set<Role>(['ROLE_ADMIN', 'ROLE_CUSTADMIN']);

/** Throws AccessDenied where an API key would give a role that outlives its own limits. */
export function assertRolesGivenByLogin(
  { credential }: Pick<Caller, 'credential'>,
  roles: readonly string[],
): void {
  if (credential.kind !== 'api_key' || !roles.some((role) => MANAGING_ROLES.has(role))) return;
  throw new AccessDenied('An API key cannot give a role that manages others', 'API_KEY_REFUSED');
}

/** Roles that {@link validateRoles} found nothing wrong with. */
export const rolesOf = (texts: readonly string[]): Role[] => texts.filter(isRole);
