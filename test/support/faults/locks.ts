import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestService } from '../service/service';
import { until } from '../service/until';

/**
 * Comes back when so many connections to the service's database wait for locks of
 * others, or the work is done.
 */
export async function untilBlocked(service: TestService, work: Promise<unknown>, count = 1): Promise<void> {
  let isDone = false;
  const finish = (): void => void (isDone = true);
  work.then(finish, finish);
  while (!isDone && (await waitingFor(service)) < count) await setTimeout(5);
}

/** Comes back when so many connections wait for locks at once. */
export const untilWaiting = (service: TestService, count: number): Promise<void> =>
  until(async () => (await waitingFor(service)) === count);

/**
 * Comes back when the work waits for a lock in the database of this connection; fails when
 * the work ends without it.
 */
export async function untilItWaits(connection: Client, work: Promise<unknown>): Promise<void> {
  let end: string | undefined;
  work.then(
    (result) => (end = `with ${JSON.stringify(result)}`),
    (error: unknown) => (end = `with ${String(error)}`),
  );
  await until(async () => {
    if (end !== undefined) throw new Error(`The work did not wait for a lock, it ended ${end}`);
    return ((await connection.query(WAITING)).rowCount ?? 0) > 0;
  });
}

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const waitingFor = async (service: TestService): Promise<number> => (await service.sql(WAITING)).length;

/** A transaction that has begun on a connection of its own, and ends with the block that holds it. */
export async function transactionBeside({
  database,
}: Pick<TestService, 'database'>): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
