import type { SqlParameters } from '@app/platform/lists/list-query';
import type { Caller } from '@app/security/access/caller';
import { grantUserValues, usesGrantOf } from '@app/security/access/used-grant';

/** Who reads by the grants of its organisation. */
export type GrantReader = Pick<Caller, 'usesGrants' | 'userId' | 'credential'>;

/** SQL condition: the reader uses the row of `acls`, a grant to the organisation `of`. */
export function isUsed(of: string, reader: GrantReader, parameters: SqlParameters): string {
  const [id, credential, credentialId] = grantUserValues(reader);
  return usesGrantOf('acls.organisation_id', {
    id: parameters.add(id),
    organisation: of,
    credential: parameters.add(credential),
    credentialId: parameters.add(credentialId),
  });
}

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
