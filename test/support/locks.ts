import { setTimeout } from 'node:timers/promises';
import type { TestService } from './service';

/** Comes back when a connection to the service's database waits for a lock of another, or the work is done. */
export async function untilBlocked(service: TestService, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const finish = (): void => void (isDone = true);
  work.then(finish, finish);
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while (!isDone && (await service.sql(waiting)).length === 0) await setTimeout(5);
}
