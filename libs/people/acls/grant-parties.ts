import type { EntityManager } from 'typeorm';
import { makerAbove } from '@app/people/organisations/maker-above';
import { fieldError, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { type GrantUser, grantUserValues, isInForce, usesGrantOf } from '@app/security/access/used-grant';

/** The reader of grants: the values of $1 to $6 in the columns. */
export const readerValues = (reader: Caller): readonly unknown[] => [
  reader.organisationId,
  isAdmin(reader),
  reader.reachesBeneath,
  ...grantUserValues(reader),
];

const READER: GrantUser = {
  id: '$4::integer',
  organisation: '$1',
  credential: '$5::text',
  credentialId: '$6::integer',
};

/** SQL: whether the reader, who manages the organisation of the path, also manages this one. */
export const isManagedByReader = (organisation: string): string => `($2::boolean OR ${organisation} = $1
  OR $3::boolean AND EXISTS (
    SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = ${organisation}))`;

/** SQL for the name of an organisation; empty if the reader may not read the organisation. */
export const nameOf = (organisation: string): string => `(SELECT CASE WHEN ${isManagedByReader('named.id')}
    OR ${usesGrantOf('named.id', READER)} THEN named.name ELSE '' END FROM organisations named WHERE named.id = ${organisation})`;

/** The shared locks wait for a concurrent deletion, which then returns no row. */
const BOTH_ORGANISATIONS = `SELECT id FROM organisations
  WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;

/** An ended grant would block a new one until the job deletes it. */
const DELETE_ENDED = `DELETE FROM acls WHERE organisation_id = $1 AND grantee_id = $2 AND NOT ${isInForce('acls')}`;

/**
 * Locks both organisations of a new grant and removes an earlier grant that has ended. Returns who answers
 * for the grant, as {@link makerAbove}.
 */
export async function lockParties(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
  granteeId: number,
): Promise<number | null> {
  const maker = await makerAbove(manager, caller, organisationId);
  const found = await manager.query<{ id: number }[]>(BOTH_ORGANISATIONS, [organisationId, granteeId]);
  if (!found.some(({ id }) => id === organisationId)) throw new NotFound('Organisation');
  if (!found.some(({ id }) => id === granteeId)) {
    throw ValidationFailed.on(
      'organisation',
      fieldError('DOES_NOT_EXIST', 'This organisation does not exist.'),
    );
  }
  await manager.query(DELETE_ENDED, [organisationId, granteeId]);
  return maker;
}
