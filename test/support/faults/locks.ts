import { setTimeout } from 'node:timers/promises';
import type { TestService } from '../service/service';
import { until } from '../service/until';

/** Comes back when a connection to the service's database waits for a lock of another, or the work is done. */
export async function untilBlocked(service: TestService, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const finish = (): void => void (isDone = true);
  work.then(finish, finish);
  while (!isDone && (await waitingFor(service)) === 0) await setTimeout(5);
}

/** Comes back when so many connections wait for locks at once. */
export const untilWaiting = (service: TestService, count: number): Promise<void> =>
  until(async () => (await waitingFor(service)) === count);

async function waitingFor(service: TestService): Promise<number> {
  const waiting = await service.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}
