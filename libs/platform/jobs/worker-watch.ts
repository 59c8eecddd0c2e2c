// Keeps this process's jobs in progress locked, and releases jobs whose worker has ended. graphile-worker
// would keep such jobs locked for four hours.
import { setImmediate, setTimeout as pauseFor } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DatabasePool } from '../database/database-pool';
import { RENEW_LEASES } from './job-tables';

/** Milliseconds between two renewals, and after a failed one. */
const INTERVAL = 3000;
const RETRY_INTERVAL = 1000;
/** Milliseconds without a renewal after which a job of another process is released. */
const LEASE = 30_000;
/** Maximum worker pools of this process whose jobs are watched. Each start of the runner makes three. */
const MAX_POOLS = 30;

/**
 * The lease of this process on its jobs. A job in progress is renewed. A completed job is recorded, if
 * graphile-worker lost its connection. Any other job that this process has locked was assigned in an answer
 * that never arrived, and is released.
 */
export class JobLeases {
  private readonly pools: string[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly done = new Set<string>();
  /** All renewals since this time have succeeded, so other processes had as long to renew their leases. */
  private steadySince: number | undefined;

  constructor(private readonly logger: Logger) {}

  /** Follows the runners of this process. */
  follow(events: WorkerEvents): void {
    events.on('pool:create', ({ workerPool }) => {
      this.pools.push(workerPool.id);
      if (this.pools.length > MAX_POOLS) this.pools.shift();
    });
  }

  /** Runs a job under the lease. */
  async hold(id: string, work: () => Promise<void>): Promise<void> {
    const working = work();
    this.running.set(id, working);
    try {
      await working;
      this.done.add(id);
    } finally {
      this.running.delete(id);
    }
  }

  /** Resolves when no job of this process runs, and the last one ended so many milliseconds ago. */
  async quiet(milliseconds: number, end: AbortSignal): Promise<void> {
    do {
      await Promise.allSettled(this.running.values());
      await pauseFor(milliseconds, undefined, { signal: end }).catch(() => undefined);
    } while (this.running.size > 0 && !end.aborted);
  }

  /** At the end, records once more what graphile-worker could not. */
  async keep(pool: DatabasePool, end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      let interval = INTERVAL;
      try {
        await this.renew(pool);
      } catch (error) {
        this.logger.warn(
          { err: error },
          'the jobs of this process could not be renewed, will be tried again',
        );
        this.steadySince = undefined;
        interval = RETRY_INTERVAL;
      }
      await pauseFor(interval, undefined, { signal: end }).catch(() => undefined);
      // First read answers that arrived while the process was blocked.
      await setImmediate();
    }
    if (this.done.size === 0) return;
    await this.renew(pool).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the last jobs of this process could not be recorded'),
    );
  }

  private async renew(pool: DatabasePool): Promise<void> {
    const now = performance.now();
    const done = [...this.done];
    const isSteady = now - (this.steadySince ?? now) > LEASE;
    const { rows } = await pool.query<{ id: string; state: 'released' | 'left' }>(RENEW_LEASES, [
      this.pools,
      [...this.running.keys()],
      done,
      isSteady ? LEASE / 1000 : null,
    ]);
    this.steadySince ??= now;
    const idsThatAre = (wanted: 'released' | 'left') =>
      rows.filter(({ state }) => state === wanted).map(({ id }) => id);
    const released = idsThatAre('released');
    const left = idsThatAre('left');
    for (const id of done) if (!left.includes(id)) this.done.delete(id);
    if (released.length > 0) this.logger.warn({ jobs: released }, 'released jobs whose worker has ended');
  }
}

/** Failures of a worker in a row, one for each poll, until it counts as stalled. */
const MAX_FAILURES = 2;

/**
 * Rejects if a worker can no longer take jobs. graphile-worker reads the ids of its tasks once, and also
 * caches a failure: if the connection breaks at that moment, only a new runner can run the jobs. A pool that
 * could not record the outcome of a job takes no more jobs either, and may never say that it has ended.
 */
export function rejectWhenStalled(events: WorkerEvents): Promise<never> {
  const failures = new Map<string, number>();
  const forget = ({ worker }: { readonly worker: { readonly workerId: string } }): void =>
    void failures.delete(worker.workerId);
  events.on('worker:getJob:empty', forget);
  events.on('job:start', forget);
  return new Promise((_, reject) => {
    events.on('pool:fatalError', ({ error }) =>
      reject(new Error('The outcome of a job could not be recorded', { cause: error })),
    );
    events.on('pool:gracefulShutdown', ({ message }) => reject(new Error(message)));
    events.on('worker:getJob:error', ({ worker: { workerId }, error }) => {
      const count = (failures.get(workerId) ?? 0) + 1;
      failures.set(workerId, count);
      if (count >= MAX_FAILURES) reject(new Error('The runner can take no jobs', { cause: error }));
    });
  });
}
