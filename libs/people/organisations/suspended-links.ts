import type { EntityManager } from 'typeorm';
import { AccessDenied } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';

/**
 * 403: a reseller must not lift a suspension by the operator or by a reseller above it, nor move
 * an organisation out of one.
 */
export const suspendedFromAbove = (): AccessDenied =>
  new AccessDenied(
    'The organisation was disabled from above, and is enabled from there',
    'SUSPENDED_FROM_ABOVE',
  );

/**
 * SQL condition: a manager of organisation `reader` with access to the suspended organisation may change the
 * suspension. False if the suspending organisation is above the suspended one and out of the manager's reach.
 */
export const mayLift = (
  suspension: string,
  reader: string,
): string => `(${suspension}.by_organisation_id = ${reader}
  OR EXISTS (SELECT FROM organisation_closure
    WHERE ancestor_id = ${reader} AND descendant_id = ${suspension}.by_organisation_id)
  OR NOT EXISTS (SELECT FROM organisation_closure
    WHERE ancestor_id = ${suspension}.by_organisation_id AND descendant_id = ${suspension}.organisation_id))`;

/** The suspension applies to organisation $1, or to one beneath it. */
const CONCERNS = `(s.organisation_id = $1
  OR s.beneath AND EXISTS (SELECT FROM organisation_closure WHERE ancestor_id = s.organisation_id AND descendant_id = $1)
  OR EXISTS (SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = s.organisation_id))`;

/** A manager of organisation $2 may lift the suspension. */
const LIFTABLE = `(${mayLift('s', '$2')} AND EXISTS (
  SELECT FROM organisation_closure WHERE ancestor_id = $2 AND descendant_id = s.organisation_id))`;

const FIXED = `SELECT s.id FROM suspensions s WHERE ${CONCERNS} AND NOT ${LIFTABLE}`;

const LOOSENED = `
  SELECT FROM suspensions s WHERE s.id = ANY ($3::integer[]) AND (NOT ${CONCERNS} OR ${LIFTABLE}) LIMIT 1`;

/**
 * Changes the links of an organisation. Throws 403 if the organisation would leave a suspension that the
 * manager must not lift, or if the change would let the manager lift it. Call it under the lock of the tree.
 */
export async function keepingSuspensions<Result>(
  manager: EntityManager,
  { organisationId }: Pick<Caller, 'organisationId'>,
  id: number,
  change: () => Promise<Result>,
): Promise<Result> {
  const fixed = await manager.query<{ id: number }[]>(FIXED, [id, organisationId]);
  const result = await change();
  if (fixed.length === 0) return result;
  const loosened = await manager.query<unknown[]>(LOOSENED, [
    id,
    organisationId,
    fixed.map((suspension) => suspension.id),
  ]);
  if (loosened.length > 0) throw suspendedFromAbove();
  return result;
}
