import { AccessDenied } from '@app/platform/errors/api-error';
import type { UsedGrant } from './access.queries';
import type { Privilege } from './privileges';

/** A verdict on a user who uses a grant of the addressed organisation. */
type GrantDecision =
  | { readonly verdict: 'allow'; readonly by: 'byGrant' }
  | { readonly verdict: 'deny'; readonly by: 'grantCoverage' | 'grantSecondFactor' };

/** 403: the grant does not cover this, even if a CUSTADMIN of the grantor may do it (rule grants 22). */
export const grantDoesNotCover = (): AccessDenied =>
  new AccessDenied('A grant does not cover this', 'GRANT_DOES_NOT_COVER');

/** 403: the organisation demands a second factor from users who use a grant to manage it. */
export const grantNeedsSecondFactor = (): AccessDenied =>
  new AccessDenied(
    'The organisation demands a second factor of those who manage it',
    'SECOND_FACTOR_REQUIRED',
  );

/** Decides by the column of the privilege table. A grant to manage covers what a grant to read covers. */
export function decideByGrant({ byGrant }: Privilege, grant: UsedGrant | null): GrantDecision {
  if (grant === null || byGrant === undefined || (byGrant === 'manage' && grant.access === 'read'))
    return { verdict: 'deny', by: 'grantCoverage' };
  if (grant.lacksSecondFactor) return { verdict: 'deny', by: 'grantSecondFactor' };
  return { verdict: 'allow', by: 'byGrant' };
}
