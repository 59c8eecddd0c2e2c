import { emailOf } from '@app/formats/email-address';
import { AccessDenied } from '@app/platform/errors/api-error';
import type { UsedGrant } from './access.queries';
import { isForStandIn, type Privilege, type Verdict } from './privileges';
import type { Role } from './roles';

/** `unproven`: a grant to manage whose user lacks the demanded second factor, and so may only read. */
export type GrantUse = 'read' | 'manage' | 'unproven';

/**
 * A verdict on a user with a grant to manage. It comes from the rights of a grant to
 * read, or from the rules below.
 */
interface GrantDecision {
  readonly verdict: Verdict;
  readonly by: 'granted' | 'grantedManage' | 'grantCoverage' | 'grantSecondFactor';
}

/** The parts of an addressed user that grants depend on. */
interface GuestsUser {
  readonly roles: readonly Role[];
  readonly username?: string;
}

/** 403: no grant allows this, even if a CUSTADMIN of the organisation may do it (rule grants 31). */
export const grantDoesNotCover = (): AccessDenied =>
  new AccessDenied('A grant does not cover this', 'GRANT_DOES_NOT_COVER');

/** 403: the organisation demands a second factor from users who manage it by a grant. */
export const grantNeedsSecondFactor = (): AccessDenied =>
  new AccessDenied(
    'The organisation demands a second factor of those who manage it',
    'SECOND_FACTOR_REQUIRED',
  );

/** For a field of a body that no user may set by a grant. */
export function assertNotByGrant({ grant }: { readonly grant: UsedGrant | undefined }): void {
  if (grant !== undefined) throw grantDoesNotCover();
}

/** What a grant lets its user do; false without a grant. */
export function useOf(grant: UsedGrant | null): GrantUse | false {
  if (grant === null) return false;
  if (grant.access === 'read') return 'read';
  return grant.lacksSecondFactor ? 'unproven' : 'manage';
}

/**
 * The verdict on a user who manages the organisation by a grant: the verdict of its CUSTADMIN, or `uncovered`
 * for what no grant allows. A refusal of the CUSTADMIN stays the same.
 */
export function grantedManage(privilege: Privilege): Verdict | 'uncovered' {
  const { custadminOwn, support, grantRefuses } = privilege;
  if (custadminOwn !== 'allow') return custadminOwn;
  if (grantRefuses !== undefined) return grantRefuses === 'never' ? 'uncovered' : 'allow';
  return isForStandIn(privilege, 'support', support === 'read') ? 'allow' : 'uncovered';
}

/** A grant to manage includes all rights of a grant to read, even without the second factor. */
export function decideByGrant(
  privilege: Privilege,
  lacksSecondFactor: boolean,
  user: GuestsUser | undefined,
): GrantDecision {
  if (privilege.granted === 'allow') return { verdict: 'allow', by: 'granted' };
  const verdict = grantedManage(privilege);
  if (verdict === 'uncovered' || (user !== undefined && isBeyondGrants(privilege, user)))
    return { verdict: 'deny', by: 'grantCoverage' };
  if (verdict === 'allow' && lacksSecondFactor) return { verdict: 'deny', by: 'grantSecondFactor' };
  return { verdict, by: 'grantedManage' };
}

/**
 * A user who may change a CUSTADMIN, or the address of a user's recovery mail, could
 * take over the organisation.
 */
const isBeyondGrants = ({ grantRefuses }: Privilege, { roles, username }: GuestsUser): boolean =>
  (grantRefuses !== undefined && grantRefuses !== 'nothing' && roles.includes('ROLE_CUSTADMIN')) ||
  (grantRefuses === 'recovery' && emailOf(username ?? '') === '');
