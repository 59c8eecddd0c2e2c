import type { Pool } from 'pg';
import { WorkContext } from '../actor/work-context';

/** Whether the running work is that of a transaction, which holds a connection of the pool already. */
const transactionWork = new WorkContext<true>();

/** Runs the work of a transaction. */
export const asTransactionWork = <Result>(work: () => Promise<Result>): Promise<Result> =>
  transactionWork.run(true, work);

const REASON =
  'Inside a transaction everything goes through its manager: a second connection can wait for ever';

/** Throws where the running work is that of a transaction: what it reads elsewhere knows nothing of its changes. */
export function assertNoTransaction(): void {
  if (transactionWork.current !== undefined) throw new Error(REASON);
}

/**
 * Refuses a connection to work that holds one. With as many transactions as the pool has connections, each would wait
 * for one that another of them holds, and with them everybody else.
 */
export function guardPool(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown;
  const guarded = (callback?: (error: Error) => void): unknown => {
    if (transactionWork.current === undefined) return connect(callback);
    const error = new Error(REASON);
    if (callback === undefined) return Promise.reject(error);
    callback(error);
    return undefined;
  };
  pool.connect = guarded as Pool['connect'];
}
