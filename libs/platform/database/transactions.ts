import type { DataSource, EntityManager, EntityTarget, QueryDeepPartialEntity, QueryRunner } from 'typeorm';
import type { Bulkhead } from '../concurrency/bulkhead';
import type { Bulkheads } from '../concurrency/bulkheads';
import type { Load } from '../concurrency/concurrency-limiter';
import type { FairLimiter } from '../concurrency/fair-limiter';
import { NAME_ACTOR, type WorkContext } from '../context/work-context';
import { OutcomeUnknown } from '../errors/api-error';
import { isKnownNotDone, isRetryable } from '../errors/sqlstate';
import { inSpan } from '../observability/tracing';
import { ANSWER_TIME, LONG_LIMITS } from './database-limits';
import type { DatabaseClient } from './pg-reads/database-client';

/** Tries of work that fails by a deadlock or a conflict. */
export const MAX_TRIES = 3;

/**
 * Reads keep the rest of the pool if every COMMIT waits for a silent standby. Writes wait long, because
 * refused clients ask again at once, which takes processor time from the work, but no longer than for a
 * connection: their COMMIT needs the rest of the answer time.
 */
const WRITES: Bulkhead = {
  name: 'writes',
  work: 'Transactions: what changes something',
  permits: { ofPool: 0.6 },
  queue: { maxWaiting: 1000, maxWaitMs: 2500 },
};

/**
 * Milliseconds for COMMIT. Longer than for a statement, because a client that does not learn the outcome
 * cannot know whether to retry. It gets the rest of {@link ANSWER_TIME}, within these bounds.
 */
const MAX_COMMIT_TIME = 5500;
const MIN_COMMIT_TIME = 1500;

const SPAN = { attributes: { 'db.system.name': 'postgresql' } };

export interface TransactionUse {
  /** Has the limits of {@link LONG_LIMITS}. */
  readonly isLong?: boolean;
  /** A statement that takes a lock before `If-Match` locks the record. */
  readonly lockFirst?: string;
  /** Names the actor itself. */
  readonly begin?: (manager: EntityManager) => Promise<void>;
}

/** Runs work in one transaction, and retries it after a deadlock or a conflict. */
export class Transactions {
  private readonly bulkhead: FairLimiter;

  constructor(
    private readonly dataSource: DataSource,
    bulkheads: Bulkheads,
  ) {
    this.bulkhead = bulkheads.open(WRITES);
  }

  /**
   * The audit log contains the actor of `ctx`. `work` may run several times, so outside the transaction it
   * must only do what it can repeat. Throws OutcomeUnknown if the COMMIT may or may not have happened, and
   * TooBusy if too many transactions wait.
   */
  run<Result>(
    ctx: WorkContext,
    work: (manager: EntityManager) => Promise<Result>,
    use: TransactionUse = {},
  ): Promise<Result> {
    return ctx.transaction?.run(work) ?? this.runAlone(ctx, work, use);
  }

  /** Runs work in its own transaction, even if the context has one. */
  async runAlone<Result>(
    ctx: WorkContext,
    work: (manager: EntityManager) => Promise<Result>,
    use: TransactionUse,
    maxTries = MAX_TRIES,
  ): Promise<Result> {
    const begun = ctx.arrivedAt ?? performance.now();
    return this.bulkhead.run(ctx.client, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await inSpan('transaction', SPAN, () => this.once(ctx, work, use, begun));
        } catch (error) {
          if (tries >= maxTries || !isRetryable(error)) throw error;
        }
      }
    });
  }

  get load(): Load {
    return this.bulkhead.load;
  }

  /**
   * Names the actor, checks `If-Match`, does the work, reads the new tag and commits. The right to the work
   * was judged before. An answer that is kept for `Idempotency-Key` is the last part of the work.
   */
  private async once<Result>(
    ctx: WorkContext,
    work: (manager: EntityManager) => Promise<Result>,
    { isLong = false, lockFirst, begin }: TransactionUse,
    begun: number,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as DatabaseClient;
      await runner.startTransaction();
      if (isLong) await allowLong(runner, client);
      await (begin?.(runner.manager) ?? runner.query(NAME_ACTOR, [JSON.stringify(ctx.actor)]));
      await ctx.version?.lockAndCheck(runner.manager, lockFirst);
      const result = await work(runner.manager);
      await ctx.version?.readAgain(runner.manager);
      await commit(runner, client, begun);
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

async function allowLong(runner: QueryRunner, client: DatabaseClient): Promise<void> {
  await runner.query(`SET LOCAL statement_timeout = ${LONG_LIMITS.statement}`);
  client.setSocketTimeout(LONG_LIMITS.socketTimeout);
}

async function commit(runner: QueryRunner, client: DatabaseClient, begun: number): Promise<void> {
  const left = ANSWER_TIME - (performance.now() - begun);
  client.setSocketTimeout(Math.max(MIN_COMMIT_TIME, Math.min(MAX_COMMIT_TIME, left)));
  try {
    await runner.commitTransaction();
  } catch (error) {
    throw isKnownNotDone(error) ? error : new OutcomeUnknown(error);
  }
}

/** Inserts one row and returns its new id. */
export async function insertReturningId<Row extends { id: number }>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  values: QueryDeepPartialEntity<Row>,
): Promise<number> {
  const { identifiers } = await manager.insert(entity, values);
  return (identifiers[0] as { id: number }).id;
}
