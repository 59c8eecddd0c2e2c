import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { ConcurrencyLimiter } from '@app/core/concurrency/concurrency-limiter';

/** Changes of the tree that hold a connection of the pool at once; PostgreSQL lets one of them change it at a time. */
const MAX_TREE_CHANGES = 2;

/** Changes of the tree that wait in front of the pool, and those of one organisation among them. */
const MAX_WAITING_TREE_CHANGES = 64;
const MAX_TREE_CHANGES_OF_ONE = 16;

/** Milliseconds that a change of the tree waits for its turn. */
const MAX_TREE_CHANGE_WAIT = 5000;

/**
 * Changes of the tree wait for each other in front of the connection pool: one lock is shared by all of them, and who
 * waits for it inside a transaction holds a connection that others need. Organisations take turns.
 */
@Injectable()
export class TreeChanges {
  private readonly limiter = new ConcurrencyLimiter({
    limit: MAX_TREE_CHANGES,
    maxWaiting: MAX_WAITING_TREE_CHANGES,
    maxWaitMs: MAX_TREE_CHANGE_WAIT,
  });

  /** @throws TooBusy without having started the work */
  run<Result>(
    { organisationId }: Pick<Caller, 'organisationId'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const key = `organisation:${organisationId}`;
    return this.limiter.run(work, {
      turns: [key],
      shares: [{ key, maxPlaces: MAX_TREE_CHANGES_OF_ONE }],
    });
  }
}
