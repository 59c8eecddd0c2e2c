import type { SqlParameters } from '@app/platform/lists/list-query';
import { isUsedBy } from '@app/security/access/used-grant';

/** The user of an organisation who uses its grants. */
export interface GrantReader {
  readonly userId: number;
  readonly isCustadmin: boolean;
}

/** SQL condition: the user uses the row of `acls`, a grant to the organisation `of`. */
export const isUsed = (of: string, { userId, isCustadmin }: GrantReader, parameters: SqlParameters): string =>
  isUsedBy(
    'acls',
    { id: parameters.add(userId), isCustadmin: String(isCustadmin) },
    `acls.organisation_id = ANY (${suspendedGivers(of)})`,
  );

/**
 * Computed once per statement: a look-up of the organisations above each giver would read
 * ten pages for each grant.
 */
const suspendedGivers = (of: string): string => `ARRAY(
    SELECT given.organisation_id FROM suspensions held JOIN acls given ON given.organisation_id = held.organisation_id
    WHERE held.itself AND given.grantee_id = ${of}
    UNION ALL SELECT given.organisation_id FROM suspensions held
      JOIN organisation_closure way ON way.ancestor_id = held.organisation_id
      JOIN acls given ON given.organisation_id = way.descendant_id
    WHERE held.beneath AND given.grantee_id = ${of})`;

/**
 * FROM and WHERE of the used grants in a scope whose givers are not beneath it. Deleted
 * organisations have no grants.
 */
export function usedGrants(
  of: string,
  { beneath }: { readonly beneath: boolean },
  reader: GrantReader,
  parameters: SqlParameters,
): string {
  const others = `NOT ((SELECT beneath_count FROM organisations WHERE id = ${of}) > 0 AND EXISTS (
      SELECT FROM organisation_closure beneath
      WHERE beneath.ancestor_id = ${of} AND beneath.descendant_id = acls.organisation_id))`;
  return `acls WHERE acls.grantee_id = ${of} AND ${isUsed(of, reader, parameters)}${beneath ? ` AND ${others}` : ''}`;
}
