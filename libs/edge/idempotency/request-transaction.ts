import type { EntityManager, QueryRunner } from 'typeorm';
import type { ContextTransaction } from '@app/platform/context/work-context';
import { MAX_TRIES } from '@app/platform/database/transactions';
import { isRetryable } from '@app/platform/errors/sqlstate';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** Ends a transaction on purpose. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/**
 * One transaction for all work of a request. The transaction begins with
 * the first work, so that it holds no connection while a password is hashed, and ends with the response.
 */
export class RequestTransaction implements ContextTransaction {
  /** Whether the transaction has ever been open. */
  hasBegun = false;
  private opening: Promise<EntityManager> | undefined;
  private done: Promise<void> | undefined;
  private end: { readonly commit: () => void; readonly rollBack: (reason: Error) => void } | undefined;

  /** @param transaction runs work in a transaction of its own */
  constructor(private readonly transaction: (work: Work<void>) => Promise<void>) {}

  /**
   * If the work fails, only its own changes are rolled back. If it is the first work,
   * the whole transaction is.
   */
  async run<Result>(work: Work<Result>): Promise<Result> {
    const isFirst = this.opening === undefined;
    for (let tries = 1; ; tries++) {
      const manager = await (this.opening ??= this.open());
      const runner = manager.queryRunner as QueryRunner;
      // Inside a transaction this is a savepoint.
      if (!isFirst) await runner.startTransaction();
      try {
        const result = await work(manager);
        if (!isFirst) await runner.commitTransaction();
        return result;
      } catch (error) {
        await (isFirst ? this.rollBack() : runner.rollbackTransaction().catch(() => undefined));
        if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * Does nothing without work. Throws OutcomeUnknown like every transaction.
   * @param last work that needs no savepoint: if it fails, nothing of the transaction stays
   */
  async commit(last?: Work<unknown>): Promise<void> {
    if (last !== undefined) await this.runLast(last);
    this.end?.commit();
    await this.done;
  }

  private async runLast(last: Work<unknown>): Promise<void> {
    try {
      await last(await (this.opening ??= this.open()));
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  /** Further work begins another transaction. */
  async rollBack(): Promise<void> {
    this.end?.rollBack(new RolledBack());
    await this.done?.catch(() => undefined);
    this.opening = this.end = this.done = undefined;
  }

  private open(): Promise<EntityManager> {
    const ended = new Promise<void>((commit, rollBack) => (this.end = { commit, rollBack }));
    // A transaction that fails at its start does not wait for its end.
    ended.catch(() => undefined);
    return new Promise((resolve, reject) => {
      this.done = this.transaction((manager) => {
        this.hasBegun = true;
        resolve(manager);
        return ended;
      });
      this.done.catch(reject);
    });
  }
}
