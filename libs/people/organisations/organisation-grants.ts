import type { SqlParameters } from '@app/platform/lists/list-query';
import { isUsedBy } from '@app/security/access/used-grant';

/** A user of the organisation, who uses grants. */
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

/** Found once for a statement: a look at the organisations above each giver would take ten pages for each grant. */
const suspendedGivers = (of: string): string => `ARRAY(
    SELECT given.organisation_id FROM suspensions held JOIN acls given ON given.organisation_id = held.organisation_id
    WHERE held.itself AND given.grantee_id = ${of}
    UNION ALL SELECT given.organisation_id FROM suspensions held
      JOIN organisation_closure way ON way.ancestor_id = held.organisation_id
      JOIN acls given ON given.organisation_id = way.descendant_id
    WHERE held.beneath AND given.grantee_id = ${of})`;

/** FROM and WHERE of the used grants of a scope whose givers are not beneath it. A deleted organisation has no grants. */
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
