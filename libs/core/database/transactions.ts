import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { currentActor, NAME_ACTOR } from '../actor/actor-context';
import { asTransactionWork } from './pool-guard';
import { isReadOnlyServer, isRetryable } from '../errors/sqlstate';

/** How often a transaction is tried whose failure PostgreSQL calls one of chance: a deadlock, a conflict. */
const MAX_TRIES = 3;

/** Runs work in one transaction; what PostgreSQL asks to be tried again is tried again. */
@Injectable()
export class Transactions {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** `work` may run several times: it must not do anything outside the transaction that can not be repeated. */
  async run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  private async once<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as { end(): Promise<void> };
    await runner.startTransaction();
    try {
      const actor = currentActor();
      if (actor !== undefined) await runner.query(NAME_ACTOR, [JSON.stringify(actor)]);
      const result = await asTransactionWork(() => work(runner.manager));
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      // After a failover the old server may stay reachable but read-only: this connection is of no more use.
      if (isReadOnlyServer(error)) await client.end().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}
