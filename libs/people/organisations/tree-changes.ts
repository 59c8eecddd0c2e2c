import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller, isAdmin } from '@app/security/access/access.decorators';
import { FairLimiter, QUEUES } from '@app/platform/concurrency/fair-limiter';
import type { TransactionUse } from '@app/platform/database/transactions';
import { found } from '@app/platform/errors/api-error';
import { Organisation } from './organisation.entity';
import type { OrganisationChanges } from './organisation-changes.types';

/** The lock that triggers take before each change of the tree. Take it before the lock of a row. */
const LOCK_TREE = 'SELECT pg_advisory_xact_lock(7218450001)';

/** Prepares a transaction that changes the tree. */
export const UNDER_TREE_LOCK: TransactionUse = { lockFirst: LOCK_TREE };

/** Tree changes that hold a pool connection at the same time. PostgreSQL runs one of them at a time. */
const MAX_TREE_CHANGES = 2;

/**
 * Queues changes of the tree in front of the connection pool. All of them take one lock, and a transaction that waits for
 * it holds a connection that others need. Organisations take turns.
 */
@Injectable()
export class TreeChanges {
  private readonly limiter = new FairLimiter({ ...QUEUES.heavy, limit: MAX_TREE_CHANGES });

  /** @throws TooBusy before the work starts */
  run<Result>({ client }: Pick<Caller, 'client'>, work: () => Promise<Result>): Promise<Result> {
    return this.limiter.run(client, work);
  }
}

/** The organisation before a change; if its links change, as it is under the lock that all changes of the tree take. */
export async function readToChange(
  manager: EntityManager,
  caller: Caller,
  id: number,
  { parentId, resellerId }: OrganisationChanges,
): Promise<Organisation> {
  const read = async (): Promise<Organisation> => {
    return found(await manager.findOneBy(Organisation, { id }), 'Organisation');
  };
  const before = await read();
  const changes = (link: number | null | undefined, present: number | null): boolean =>
    link !== undefined && link !== present && (link !== null || isAdmin(caller));
  if (!changes(parentId, before.parentId) && !changes(resellerId, before.resellerId)) return before;
  await manager.query(LOCK_TREE);
  return read();
}

/** Drops links that stay the same: their change would take the lock that all tree changes share. */
export function withoutUnchangedLinks(input: OrganisationChanges, before: Organisation): OrganisationChanges {
  const { parentId, resellerId, ...rest } = input;
  return {
    ...rest,
    ...(parentId !== before.parentId && { parentId }),
    ...(resellerId !== before.resellerId && { resellerId }),
  };
}
