import type { EntityManager, QueryRunner } from 'typeorm';
import type { ContextTransaction } from '../context/request-context';
import { isRetryable } from '../errors/sqlstate';
import type { DatabaseClient } from './pg-reads/database-client';

/** Tries of work that fails by a deadlock or a conflict. */
export const MAX_TRIES = 3;

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** Ends a transaction on purpose. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

/**
 * One transaction for all work of a request, which ends with its response: the request reads its own changes in it. It
 * begins with the first work, so that it holds no connection while a password is hashed.
 */
export class RequestTransaction implements ContextTransaction {
  /** The connection of the open transaction. */
  client: DatabaseClient | undefined;
  private opening: Promise<EntityManager> | undefined;
  private done: Promise<void> | undefined;
  private end: { readonly commit: () => void; readonly rollBack: (reason: Error) => void } | undefined;

  /**
   * @param transaction runs work in a transaction of its own
   * @param begin the first work; if it fails, there is no transaction
   */
  constructor(
    private readonly transaction: (work: Work<void>) => Promise<void>,
    private readonly begin: Work<void>,
  ) {}

  get isOpen(): boolean {
    return this.client !== undefined;
  }

  /** Runs the work in a savepoint: if it fails, only its own changes are rolled back. */
  async run<Result>(work: Work<Result>): Promise<Result> {
    const manager = await (this.opening ??= this.open());
    const runner = manager.queryRunner as QueryRunner;
    for (let tries = 1; ; tries++) {
      // Inside a transaction this is a savepoint.
      await runner.startTransaction();
      try {
        const result = await work(manager);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        await runner.rollbackTransaction().catch(() => undefined);
        if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * Throws OutcomeUnknown like every transaction.
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

  async rollBack(): Promise<void> {
    this.end?.rollBack(new RolledBack());
    await this.done?.catch(() => undefined);
  }

  private open(): Promise<EntityManager> {
    const ended = new Promise<void>((commit, rollBack) => (this.end = { commit, rollBack }));
    // A transaction that fails at its start does not wait for its end.
    ended.catch(() => undefined);
    return new Promise((resolve, reject) => {
      this.done = this.transaction(async (manager) => {
        await this.begin(manager);
        this.client = (await manager.queryRunner?.connect()) as DatabaseClient;
        resolve(manager);
        await ended.finally(() => (this.client = undefined));
      });
      this.done.catch(reject);
    });
  }
}
