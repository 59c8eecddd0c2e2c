import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Bulkhead, HEAVY } from '@app/platform/concurrency/bulkhead';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import type { FairLimiter } from '@app/platform/concurrency/fair-limiter';
import type { TransactionUse } from '@app/platform/database/transactions';
import { found } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { Organisation } from './organisation.entity';
import type { OrganisationChanges } from './organisation-changes.types';
import { resellerGiven } from './organisation-type';

/** The lock that triggers take before each change of the tree. Take it before any lock on a row. */
const LOCK_TREE = 'SELECT pg_advisory_xact_lock(7218450001)';

/** For a transaction that changes the tree. */
export const UNDER_TREE_LOCK: TransactionUse = { lockFirst: LOCK_TREE };

/** PostgreSQL runs one at a time; the other one holds a connection, and comes next. */
const TREE_CHANGES: Bulkhead = {
  name: 'tree_changes',
  work: 'Changes of the tree of organisations',
  permits: 2,
  queue: HEAVY,
};

/**
 * Queues changes of the tree before they take a connection. All of them take one lock, and waiting
 * transactions would hold connections that others need. Organisations take turns.
 */
@Injectable()
export class TreeChanges {
  private readonly bulkhead: FairLimiter;

  constructor(bulkheads: Bulkheads) {
    this.bulkhead = bulkheads.open(TREE_CHANGES);
  }

  /** @throws TooBusy before the work starts */
  run<Result>({ client }: Pick<Caller, 'client'>, work: () => Promise<Result>): Promise<Result> {
    return this.bulkhead.run(client, work);
  }
}

/** What places an organisation, and those beneath it, in the tree and with a customer. */
export type PlaceInTree = Pick<Organisation, 'parentId' | 'resellerId' | 'organisationType' | 'isReseller'>;

type PlacingChanges = Pick<OrganisationChanges, 'parentId' | 'resellerId' | 'organisationType'>;

/** How a request changes the tree: by a link, or only by the type Reseller; undefined if it does not. */
export function treeChangeOf(
  caller: Pick<Caller, 'roles'>,
  { parentId, resellerId, organisationType }: PlacingChanges,
  before: PlaceInTree,
): 'link' | 'type' | undefined {
  const changes = (link: number | null | undefined, present: number | null): boolean =>
    link !== undefined && link !== present && (link !== null || isAdmin(caller));
  if (changes(parentId, before.parentId) || changes(resellerId, before.resellerId)) return 'link';
  return resellerGiven(caller, organisationType, before) === undefined ? undefined : 'type';
}

/**
 * The organisation before a change. If its place in the tree changes, reads it under the lock of all tree
 * changes. If the request sets the demand of a second factor, locks it, so that the demand cannot change
 * before the decision whether it is another one.
 */
export async function readToChange(
  manager: EntityManager,
  caller: Caller,
  id: number,
  request: OrganisationChanges,
): Promise<Organisation> {
  const setsDemand = request.required2fa !== undefined;
  const read = async (locks: boolean): Promise<Organisation> => {
    const lock = locks ? ({ lock: { mode: 'for_no_key_update' } } as const) : {};
    return found(await manager.findOne(Organisation, { where: { id }, ...lock }), 'Organisation');
  };
  // The lock of all tree changes comes before that of a row.
  if (!namesPlace(request)) return read(setsDemand);
  const before = await read(false);
  if (treeChangeOf(caller, request, before) !== undefined) {
    await manager.query(LOCK_TREE);
    return read(setsDemand);
  }
  return setsDemand ? read(true) : before;
}

/** Whether a request has a field that may place the organisation elsewhere. */
export const namesPlace = ({ parentId, resellerId, organisationType }: PlacingChanges): boolean =>
  parentId !== undefined || resellerId !== undefined || organisationType !== undefined;

/** Drops unchanged links, because setting them would take the lock of all tree changes. */
export function withoutUnchangedLinks(input: OrganisationChanges, before: Organisation): OrganisationChanges {
  const { parentId, resellerId, ...rest } = input;
  return {
    ...rest,
    ...(parentId !== before.parentId && { parentId }),
    ...(resellerId !== before.resellerId && { resellerId }),
  };
}
