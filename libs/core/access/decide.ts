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

/** What of the privilege table a verdict was taken from: one of its columns, or a rule that stands before them. */
export type DecidedBy =
  | keyof Omit<Privilege, 'acts'>
  /** A CUSTADMIN never acts on a user who holds ROLE_ADMIN. */
  | 'adminAddressed'
  /** Nothing relates the caller to the organisation. */
  | 'noRelation';

/** A verdict with where it comes from. */
export interface Decision {
  readonly verdict: Verdict;
  readonly by: DecidedBy;
}

/** The verdict of the privilege table on one operation of one caller. */
export function decide(
  privilege: Privilege,
  caller: Pick<Caller, 'roles' | 'userId' | 'credential'>,
  organisation: OrganisationRelation | undefined,
  user: AddressedUser | undefined,
): Decision {
  if (privilege.apiKey === 'deny' && caller.credential.kind === 'api_key') return DENIED_TO_KEYS;
  const self = user?.id === caller.userId ? privilege.self : undefined;
  if (self === 'allow') return { verdict: self, by: 'self' };
  if (isAdmin(caller)) return { verdict: privilege.admin, by: 'admin' };
  // A user is never out of its own reach, so "self" comes before the ways into an organisation.
  if (self !== undefined) return { verdict: self, by: 'self' };
  const actsOnAnother = user !== undefined && user.id !== caller.userId && privilege.acts;
  // A CUSTADMIN never acts on a user who holds ROLE_ADMIN; 403 comes before the 500 of a missing role.
  if (actsOnAnother && isCustadmin(caller) && user.roles.includes('ROLE_ADMIN')) return DENIED_ON_ADMINS;
  const by = columnOf(privilege, caller, organisation);
  return { verdict: (by === 'noRelation' ? undefined : privilege[by]) ?? 'deny', by };
}

const DENIED_TO_KEYS: Decision = { verdict: 'deny', by: 'apiKey' };
const DENIED_ON_ADMINS: Decision = { verdict: 'deny', by: 'adminAddressed' };

function columnOf(
  privilege: Privilege,
  caller: Pick<Caller, 'roles'>,
  organisation: OrganisationRelation | undefined,
): 'custadminOwn' | 'custadminBeneath' | 'finance' | 'member' | 'granted' | 'noRelation' {
  const custadmin = isCustadmin(caller);
  if (organisation === undefined || organisation.own) {
    if (custadmin) return 'custadminOwn';
    return privilege.finance !== undefined && caller.roles.includes('ROLE_FINANCE') ? 'finance' : 'member';
  }
  if (custadmin && organisation.beneath) return 'custadminBeneath';
  return organisation.granted ? 'granted' : 'noRelation';
}
