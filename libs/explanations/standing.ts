import type { SubjectRow } from './explanation.queries';
import type { CredentialFault, Standing } from './explanation.types';

/**
 * Why none of the user's credentials counts, whatever they are. Whatever else keeps all credentials of a user from
 * counting stands here, beside its condition in the access query.
 */
export function standingOf({ enabled, suspended }: SubjectRow): readonly Standing[] {
  return [
    ...(enabled ? [] : ['USER_DISABLED' as const]),
    ...(suspended ? ['ORGANISATION_SUSPENDED' as const] : []),
  ];
}

/** Why a credential does not count by itself. */
export function credentialFaultsOf({ expired, unusedTooLong }: SubjectRow): readonly CredentialFault[] {
  return [...(expired ? ['EXPIRED' as const] : []), ...(unusedTooLong ? ['UNUSED_TOO_LONG' as const] : [])];
}
