import { prepared } from '@app/platform/database/pg-reads/database-reads';
import type { Caller } from '@app/security/access/caller';
import { grantUserValues, usedGrantors } from '@app/security/access/used-grant';

/**
 * The organisations whose grants to organisation $1 a user uses ($2 to $4: user, kind and id of the
 * credential). With $5, those that do not lie beneath it. Deleted organisations have no grants.
 */
export const USED_GRANTORS = prepared<{ grantor: number }>(`
  SELECT grantors.grantor FROM (${usedGrantors({
    id: '$2::integer',
    organisation: '$1::integer',
    credential: '$3::text',
    credentialId: '$4::integer',
  })}) grantors
  WHERE NOT ($5::boolean AND EXISTS (SELECT FROM organisation_closure beneath
    WHERE beneath.ancestor_id = $1 AND beneath.descendant_id = grantors.grantor))`);

/** The values of {@link USED_GRANTORS} for the list of the caller. */
export const usedGrantorsValues = (caller: Caller, beneath: boolean): readonly unknown[] => [
  caller.organisationId,
  ...grantUserValues(caller),
  beneath,
];
