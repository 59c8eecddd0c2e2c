import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { currentActor, NAME_ACTOR, waitedForSince } from '../actor/actor-context';
import { ConcurrencyLimiter, type Load } from '../concurrency/concurrency-limiter';
import { OutcomeUnknown } from '../errors/api-error';
import { isKnownNotDone, isRetryable } from '../errors/sqlstate';
import { inSpan } from '../tracing/current-span';
import type { DatabaseClient } from './database-client';
import {
  ANSWER_TIME,
  CONNECT_TIMEOUT,
  LONG_SILENCE_TIMEOUT,
  LONG_STATEMENT_TIMEOUT,
} from './database-limits';
import { poolOf } from './pool';
import { asTransactionWork } from './pool-guard';

/** How often a transaction is tried whose failure PostgreSQL calls one of chance: a deadlock, a conflict. */
const MAX_TRIES = 3;

/**
 * The part of the connection pool that transactions may hold, and how many may wait for it: where COMMIT waits for a
 * standby that does not answer, all of them wait with it, and reads have the rest.
 */
const WRITE_SHARE = 0.6;
const MAX_WAITING_TRANSACTIONS = 500;

/**
 * Milliseconds that COMMIT may take: longer than a statement, since who is not told its outcome does not know whether to
 * try again; but no longer than is left of {@link ANSWER_TIME}, of which a little is always left.
 */
const MAX_COMMIT_TIME = 5500;
const MIN_COMMIT_TIME = 1500;

const SPAN = { attributes: { 'db.system.name': 'postgresql' } };

/** How a transaction runs. */
export interface TransactionUse {
  /** Whether its statements may take as long as those of no request may. */
  readonly isLong?: boolean;
}

/** Runs work in one transaction; what PostgreSQL asks to be tried again is tried again. */
@Injectable()
export class Transactions {
  private writePlaces: ConcurrencyLimiter | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * `work` may run several times: it must not do anything outside the transaction that can not be repeated. Throws
   * OutcomeUnknown where nobody can say whether it was committed, and TooBusy where too many others wait.
   */
  async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    use: TransactionUse = {},
  ): Promise<Result> {
    const begun = waitedForSince() ?? performance.now();
    return this.places().run(async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await inSpan('transaction', SPAN, () => this.once(work, use, begun));
        } catch (error) {
          if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
        }
      }
    });
  }

  /** How many transactions run and wait for a place at the moment. */
  get load(): Load {
    return this.places().load;
  }

  private places(): ConcurrencyLimiter {
    return (this.writePlaces ??= new ConcurrencyLimiter({
      limit: Math.max(1, Math.floor(poolOf(this.dataSource).options.max * WRITE_SHARE)),
      maxWaiting: MAX_WAITING_TRANSACTIONS,
      maxWaitMs: CONNECT_TIMEOUT,
    }));
  }

  private async once<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    { isLong = false }: TransactionUse,
    begun: number,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as DatabaseClient;
      await runner.startTransaction();
      if (isLong) {
        await runner.query(`SET LOCAL statement_timeout = ${LONG_STATEMENT_TIMEOUT}`);
        client.limitSilence(LONG_SILENCE_TIMEOUT);
      }
      const actor = currentActor();
      if (actor !== undefined) await runner.query(NAME_ACTOR, [JSON.stringify(actor)]);
      const result = await asTransactionWork(() => work(runner.manager));
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

async function commit(runner: QueryRunner, client: DatabaseClient, begun: number): Promise<void> {
  const left = ANSWER_TIME - (performance.now() - begun);
  client.limitSilence(Math.max(MIN_COMMIT_TIME, Math.min(MAX_COMMIT_TIME, left)));
  try {
    await runner.commitTransaction();
  } catch (error) {
    throw isKnownNotDone(error) ? error : new OutcomeUnknown(error);
  }
}
