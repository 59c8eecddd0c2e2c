import { prepared } from '@app/platform/database/pg-reads/database-reads';
import type { Caller } from '@app/security/access/caller';
import { grantUserValues, usedGivers } from '@app/security/access/used-grant';

/**
 * The organisations whose grants to organisation $1 a user uses ($2 to $4: user, kind and id of the
 * credential). With $5, those that do not lie beneath it. Deleted organisations have no grants.
 */
export const USED_GIVERS = prepared<{ giver: number }>(`
  SELECT givers.giver FROM (${usedGivers({
    id: '$2::integer',
    organisation: '$1::integer',
    credential: '$3::text',
    credentialId: '$4::integer',
  })}) givers
  WHERE NOT ($5::boolean AND EXISTS (SELECT FROM organisation_closure beneath
    WHERE beneath.ancestor_id = $1 AND beneath.descendant_id = givers.giver))`);

/** The values of {@link USED_GIVERS} for the list of the caller. */
export const usedGiversValues = (caller: Caller, beneath: boolean): readonly unknown[] => [
  caller.organisationId,
  ...grantUserValues(caller),
  beneath,
];
