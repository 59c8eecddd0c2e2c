import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/security/access/access.decorators';
import { FairLimiter, QUEUES } from '@app/platform/concurrency/fair-limiter';

/** The lock that triggers take before each change of the tree. Take it before the lock of a row. */
export const LOCK_TREE = 'SELECT pg_advisory_xact_lock(7218450001)';

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
