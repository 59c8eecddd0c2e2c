import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '@app/platform/database/database-pool';
import { KeyReads } from '@app/platform/database/pg-reads/key-reads';
import { Transactions } from '@app/platform/database/transactions';

const transactionWork = new AsyncLocalStorage<true>();

const refusal = (): Error | undefined =>
  transactionWork.getStore() &&
  new Error(
    'Inside a transaction everything goes through its manager: a second connection can wait for ever',
  );

/**
 * Refuses a second connection to work that holds one: it would not see the changes of its own transaction,
 * and as many such transactions as the pool has connections would wait for each other for ever. Every test
 * service has it; in production it would cost each write an AsyncLocalStorage.
 */
export function guardPool(app: INestApplicationContext): void {
  const transactions = app.get(Transactions);
  const run = transactions.run.bind(transactions);
  transactions.run = (ctx, work, use) =>
    run(ctx, (manager) => transactionWork.run(true, () => work(manager)), use);

  const pool = poolOf(app.get(DataSource));
  const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown;
  const guarded = (callback?: (error: Error) => void): unknown => {
    const error = refusal();
    if (error === undefined) return connect(callback);
    if (callback === undefined) return Promise.reject(error);
    callback(error);
    return undefined;
  };
  pool.connect = guarded as typeof pool.connect;

  const reads = app.get<KeyReads | null>(KeyReads);
  if (reads === null) return;
  const rows = reads.rows.bind(reads);
  reads.rows = (read, values) => {
    const error = refusal();
    return error === undefined ? rows(read, values) : Promise.reject(error);
  };
}
