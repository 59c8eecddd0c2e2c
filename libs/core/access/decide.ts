import { isAdmin, isCustadmin, type Caller } from './caller';
import type { Privilege, Verdict } from './privileges';
import type { Role } from './roles';

/** How the caller's organisation relates to the addressed one; several may hold at once. */
export interface OrganisationRelation {
  readonly own: boolean;
  /** Beneath the caller's organisation over parent and reseller links, to any depth. */
  readonly beneath: boolean;
  /** The addressed organisation granted access to the caller's. */
  readonly granted: boolean;
}

/** The addressed user, as far as access depends on it. */
export interface AddressedUser {
  readonly id: number;
  readonly roles: readonly Role[];
}

/** The verdict of the privilege table on one operation of one caller. */
export function decide(
  privilege: Privilege,
  caller: Pick<Caller, 'roles' | 'userId' | 'credential'>,
  organisation: OrganisationRelation | undefined,
  user: AddressedUser | undefined,
): Verdict {
  if (privilege.apiKey === 'deny' && caller.credential.kind === 'api_key') return 'deny';
  const self = user?.id === caller.userId ? privilege.self : undefined;
  if (self === 'allow') return 'allow';
  if (isAdmin(caller)) return privilege.admin;
  // A user is never out of its own reach, so "self" comes before the ways into an organisation.
  if (self !== undefined) return self;
  const actsOnAnother = user !== undefined && user.id !== caller.userId && privilege.acts;
  // A CUSTADMIN never acts on a user who holds ROLE_ADMIN; 403 comes before the 500 of a missing role.
  if (actsOnAnother && isCustadmin(caller) && user.roles.includes('ROLE_ADMIN')) return 'deny';
  return verdictByOrganisation(privilege, caller, organisation);
}

function verdictByOrganisation(
  privilege: Privilege,
  caller: Pick<Caller, 'roles'>,
  organisation: OrganisationRelation | undefined,
): Verdict {
  const custadmin = isCustadmin(caller);
  if (organisation === undefined || organisation.own) {
    return custadmin ? privilege.custadminOwn : privilege.member;
  }
  if (custadmin && organisation.beneath) return privilege.custadminBeneath;
  return organisation.granted ? privilege.granted : 'deny';
}
