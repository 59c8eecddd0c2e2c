import type { EntityManager } from 'typeorm';
import { AccessDenied, fieldError, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { OPERATOR_ORGANISATION } from '@app/security/access/roles';
import { isInForce, isUsedBy } from '@app/security/access/used-grant';

/** The reader of grants: the values of $1 to $4 in the columns. */
export const readerValues = (reader: Caller): [number, boolean, boolean, boolean] => [
  reader.organisationId,
  isAdmin(reader),
  reader.reachesBeneath,
  reader.usesGrants,
];

/** SQL: whether the reader, who manages the organisation of the path, also manages this one. */
export const isManagedByReader = (organisation: string): string => `($2::boolean OR ${organisation} = $1
  OR $3::boolean AND EXISTS (
    SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = ${organisation}))`;

/** SQL for the name of an organisation; empty if the reader may not read the organisation. */
export const nameOf = (organisation: string): string => `(SELECT CASE WHEN ${isManagedByReader('named.id')}
    OR $4::boolean AND EXISTS (SELECT FROM acls own WHERE own.grantee_id = $1 AND own.organisation_id = named.id
      AND ${isUsedBy('own', { id: 'NULL', isCustadmin: 'true' })})
  THEN named.name ELSE '' END FROM organisations named WHERE named.id = ${organisation})`;

/** The shared locks wait for a concurrent deletion, which then returns no row. */
const BOTH_ORGANISATIONS = `SELECT id FROM organisations
  WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;

/** A move out of the giver's reach updates the giver's row, so the lock serialises the move and the grant. */
const LOCK_GIVER = 'SELECT FROM organisations WHERE id = $1 FOR SHARE';

const IS_BENEATH = `SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2`;

/** An ended grant would block a new one until the job deletes it. */
const DELETE_ENDED = `DELETE FROM acls WHERE organisation_id = $1 AND grantee_id = $2 AND NOT ${isInForce('acls')}`;

/**
 * Locks both organisations of a new grant and removes an earlier grant that has ended. Returns the
 * giver, as {@link lockGiver}.
 */
export async function lockParties(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
  granteeId: number,
): Promise<number | null> {
  const found = await manager.query<{ id: number }[]>(BOTH_ORGANISATIONS, [organisationId, granteeId]);
  if (!found.some(({ id }) => id === organisationId)) throw new NotFound('Organisation');
  if (!found.some(({ id }) => id === granteeId)) {
    throw ValidationFailed.on(
      'organisation',
      fieldError('DOES_NOT_EXIST', 'This organisation does not exist.'),
    );
  }
  const giverId = await lockGiver(manager, caller, organisationId);
  await manager.query(DELETE_ENDED, [organisationId, granteeId]);
  return giverId;
}

/**
 * The giver of a grant that the caller gives or raises, if that is an organisation above: the grant
 * ends when the organisation leaves the giver's reach. Null for grants by the organisation itself, by
 * admins and by the operator.
 */
export async function lockGiver(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
): Promise<number | null> {
  const giverId = giverAbove(caller, organisationId);
  if (giverId !== null) await assertStillAbove(manager, giverId, organisationId);
  return giverId;
}

function giverAbove(caller: Caller, organisationId: number): number | null {
  const isOwn = caller.organisationId === organisationId;
  return isAdmin(caller) || isOwn || caller.organisationId === OPERATOR_ORGANISATION
    ? null
    : caller.organisationId;
}

/** If the organisation moved between the guard's check and the insert, the grant would never end. */
async function assertStillAbove(
  manager: EntityManager,
  giverId: number,
  organisationId: number,
): Promise<void> {
  await manager.query(LOCK_GIVER, [giverId]);
  const rows = await manager.query<object[]>(IS_BENEATH, [giverId, organisationId]);
  if (rows.length === 0) throw new AccessDenied();
}
