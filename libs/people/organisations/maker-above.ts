import type { EntityManager } from 'typeorm';
import type { DataCheck } from '@app/lifecycle/data-check';
import { AccessDenied } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';

/** What a service key makes rests on the reach on which the key itself rests. */
const MAKER_BEHIND = 'SELECT made_by_organisation AS maker FROM service_keys WHERE id = $1';

/**
 * The lock of all tree changes, shared: a move that takes the reach away and this transaction wait for each
 * other. A lock on a row would not do: a move locks the organisation before the closure, or after it.
 */
export const SHARE_TREE = 'SELECT pg_advisory_xact_lock_shared(7218450001)';

const IS_BENEATH = 'SELECT 1 FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2';

/**
 * The organisation above without whose reach what the caller makes ends (rule organisations 26): that of a
 * manager above. Null for the organisation's own people and keys, and for the operator, who is always above.
 * Call it before any row is locked: a move takes the lock of the tree first.
 */
export async function makerAbove(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
): Promise<number | null> {
  if (isAdmin(caller)) return null;
  const maker = await makerOf(manager, caller);
  if (maker === organisationId || maker === OPERATOR_ORGANISATION) return null;
  await manager.query(SHARE_TREE);
  const rows = await manager.query<object[]>(IS_BENEATH, [maker, organisationId]);
  // Moved away after the guard's look.
  if (rows.length === 0) throw new AccessDenied();
  return maker;
}

async function makerOf(manager: EntityManager, { organisationId, credential }: Caller): Promise<number> {
  if (credential.kind !== 'service_key') return organisationId;
  const [key] = await manager.query<{ maker: number | null }[]>(MAKER_BEHIND, [credential.id]);
  // Ended after the guard's look: what it makes now would rest on nothing.
  if (key === undefined) throw new AccessDenied();
  return key.maker ?? organisationId;
}

/** Finds what should have ended when its organisation left the reach of who made it. */
export function madeOutOfReach(
  table: string,
  {
    name,
    finds,
    open = 'true',
    end,
  }: Pick<DataCheck, 'name' | 'finds'> & {
    /** SQL condition: the record `made` has not ended. */
    readonly open?: string;
    /** The beginning of the statement that ends records. */
    readonly end: string;
  },
): DataCheck {
  const isOutOfReach = `${open} AND made.made_by_organisation IS NOT NULL AND NOT EXISTS (
    SELECT FROM organisation_closure
    WHERE ancestor_id = made.made_by_organisation AND descendant_id = made.organisation_id)`;
  return {
    name,
    finds,
    wrong: `SELECT made.id || ' of organisation ' || made.organisation_id AS example FROM ${table} made WHERE ${isOutOfReach}`,
    repair: [`${end} WHERE ${isOutOfReach}`],
  };
}
