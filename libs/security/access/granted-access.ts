import { AccessDenied } from '@app/platform/errors/api-error';
import { emailOf } from '@app/platform/dto/text-rules';
import type { UsedGrant } from './access.queries';
import { isForSupport, type Privilege, type Verdict } from './privileges';
import type { Role } from './roles';

/** `unproven`: it is to manage, and the organisation demands a second factor, which the caller lacks. It reads meanwhile. */
export type GrantUse = 'read' | 'manage' | 'unproven';

/** A verdict on a user with a grant to manage: by what everybody with a grant reads, or by the rules below. */
interface GrantDecision {
  readonly verdict: Verdict;
  readonly by: 'granted' | 'grantedManage' | 'grantCoverage' | 'grantSecondFactor';
}

/** The parts of an addressed user that grants depend on. */
interface GuestsUser {
  readonly roles: readonly Role[];
  readonly username?: string;
}

/** 403: what nobody does by a grant, whatever a CUSTADMIN of the organisation may do (decisions.md 14.1). */
export class GrantDoesNotCover extends AccessDenied {
  constructor() {
    super('A grant does not cover this', 'GRANT_DOES_NOT_COVER');
  }
}

/** 403: the organisation demands a second factor of those who manage it by a grant. */
export class GrantNeedsSecondFactor extends AccessDenied {
  constructor() {
    super('The organisation demands a second factor of those who manage it', 'SECOND_FACTOR_REQUIRED');
  }
}

/** For a field of a body that nobody with a grant may set. */
export function assertNotByGrant({ grant }: { readonly grant: UsedGrant | undefined }): void {
  if (grant !== undefined) throw new GrantDoesNotCover();
}

/** What a grant lets its user do. */
export function useOf(grant: UsedGrant | null): GrantUse | false {
  if (grant === null) return false;
  if (grant.access === 'read') return 'read';
  return grant.lacksSecondFactor ? 'unproven' : 'manage';
}

/**
 * The verdict on a user who manages the organisation by a grant: what its CUSTADMIN may, unless that is beyond every grant. What a
 * CUSTADMIN may not either keeps its own answer.
 */
export function grantedManage(privilege: Privilege): Verdict | 'uncovered' {
  const { custadminOwn, support, grantRefuses } = privilege;
  if (custadminOwn !== 'allow') return custadminOwn;
  return grantRefuses !== 'never' && isForSupport(privilege, support === 'read') ? 'allow' : 'uncovered';
}

/** Who manages by a grant also reads what everybody with a grant reads, without a second factor too. */
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

/** Whoever changes a CUSTADMIN, or where the recovery mail of a user goes, could take over the organisation. */
const isBeyondGrants = ({ grantRefuses }: Privilege, { roles, username }: GuestsUser): boolean =>
  (grantRefuses !== undefined && roles.includes('ROLE_CUSTADMIN')) ||
  (grantRefuses === 'recovery' && emailOf(username ?? '') === '');
