// Gives back the jobs of workers that died or lost their connection. graphile-worker keeps them locked for four hours.
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { DatabasePool } from '../database/database-pool';
import { GIVE_BACK_LOST_JOBS } from './job-tables';

/** A process has three jobs in progress, and records each as soon as it is done. */
const MAX_REMEMBERED = 100;

/**
 * The last jobs of this process, kept from one runner to the next. If the connection breaks while graphile-worker records
 * an outcome, it gives up: the job stays locked, and would run again when the lock is old enough.
 */
export class JobsInProgress {
  private readonly jobs = new Map<string, { readonly worker: string; isDone: boolean }>();

  take(id: string, worker: string | null): void {
    this.jobs.delete(id);
    if (worker === null) return;
    this.jobs.set(id, { worker, isDone: false });
    const [oldest] = this.jobs.keys();
    if (this.jobs.size > MAX_REMEMBERED && oldest !== undefined) this.jobs.delete(oldest);
  }

  done(id: string): void {
    const job = this.jobs.get(id);
    if (job !== undefined) job.isDone = true;
  }

  /** Records finished jobs and unlocks the others. Only while no runner of this process runs. */
  async giveBack(pool: DatabasePool): Promise<void> {
    if (this.jobs.size === 0) return;
    const workers = new Set([...this.jobs.values()].map(({ worker }) => worker));
    const done = [...this.jobs].flatMap(([id, { isDone }]) => (isDone ? [id] : []));
    const client = await pool.connect();
    try {
      // In one transaction, so that no worker takes a finished job between the two.
      await client.query('BEGIN');
      await client.query('SELECT graphile_worker.force_unlock_workers($1)', [[...workers]]);
      await client.query('SELECT graphile_worker.complete_jobs($1)', [done]);
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    this.jobs.clear();
  }
}

/** The first of the two numbers of each worker's advisory lock; no other lock of the service has two. */
const LOCK_CLASS = 7_218_451;
/** Milliseconds between two searches for dead workers. */
const LOOK_INTERVAL = 10_000;
/** Milliseconds before a broken connection is replaced. */
const RETRY_DELAY = 1000;
/** Time without a lock for a worker whose connection broke: three searches. */
const GRACE = '30 seconds';

/** Shared, so that two workers with the same hash do not wait for each other. */
const TAKE = `SELECT pg_advisory_lock_shared(${LOCK_CLASS}, hashtext($1))`;

const GIVE_BACK = `
  WITH gone AS (
    SELECT array_agg(DISTINCT job.locked_by) AS workers FROM graphile_worker.jobs job
    WHERE job.locked_at < now() - interval '${GRACE}' AND NOT EXISTS (
      SELECT FROM pg_locks held
      WHERE held.locktype = 'advisory' AND held.objsubid = 2 AND held.classid = ${LOCK_CLASS}
        AND held.objid::bigint = hashtext(job.locked_by)::bigint & 4294967295
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
  )
  SELECT workers, graphile_worker.force_unlock_workers(workers) FROM gone WHERE workers IS NOT NULL`;

/**
 * Holds an advisory lock for each worker of this process, and gives back the jobs of workers without a lock. PostgreSQL
 * frees the lock when the session ends. A frozen process or machine keeps its session for a while: its jobs wait for the
 * end of the session, or for the clean-up after 15 minutes.
 */
export class WorkerHeartbeat {
  private readonly workers = new Set<string>();
  /** Ids of jobs. A finished one stays until the next search is over: its outcome is recorded by then. */
  private readonly inProgress = new Set<string>();
  private readonly over = new Set<string>();
  private readonly ended = new AbortController();

  constructor(
    events: WorkerEvents,
    private readonly logger: Logger,
  ) {
    events.on('pool:create', ({ workerPool }) => this.workers.add(workerPool.id));
    events.on('job:start', ({ job }) => {
      this.over.delete(String(job.id));
      this.inProgress.add(String(job.id));
    });
    events.on('job:complete', ({ job }) => this.over.add(String(job.id)));
  }

  /** Runs until {@link end}; starts after the runners have started. */
  async run(pool: DatabasePool): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        await this.beat(pool);
      } catch (error) {
        this.logger.warn({ err: error }, 'the lock of the jobs of this process is lost, will be taken again');
        await this.pause(RETRY_DELAY);
      }
    }
  }

  end(): void {
    this.ended.abort();
  }

  private async beat(pool: DatabasePool): Promise<void> {
    const client = await pool.connect();
    try {
      for (const worker of this.workers) await client.query(TAKE, [worker]);
      while (!this.ended.signal.aborted) {
        const { rows } = await client.query<{ workers: string[] }>(GIVE_BACK);
        for (const { workers } of rows)
          this.logger.warn({ workers }, 'jobs of processes that are gone are given back');
        await this.giveBackLost(client);
        await this.pause(LOOK_INTERVAL);
      }
    } finally {
      // Ends the session, and its locks with it.
      client.release(true);
    }
  }

  /** Gives back jobs that the database assigned to this process in an answer that never arrived. */
  private async giveBackLost(client: PoolClient): Promise<void> {
    const over = [...this.over];
    const held = [[...this.workers], [...this.inProgress], GRACE];
    const { rows } = await client.query<{ id: string }>(GIVE_BACK_LOST_JOBS, held);
    if (rows.length > 0)
      this.logger.warn({ jobs: rows.map(({ id }) => id) }, 'jobs whose answer was lost are given back');
    for (const id of over) if (this.over.delete(id)) this.inProgress.delete(id);
  }

  private async pause(milliseconds: number): Promise<void> {
    await pauseFor(milliseconds, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }
}

/** Failures of a worker in a row, one each poll, until it counts as stalled. */
const MAX_FAILURES = 2;

/**
 * Rejects when a worker can no longer take jobs. graphile-worker reads the ids of its tasks once, and caches a failure too:
 * if the connection breaks at that moment, only a new runner does the jobs.
 */
export function rejectWhenStalled(events: WorkerEvents): Promise<never> {
  const failures = new Map<string, number>();
  const forget = ({ worker }: { readonly worker: { readonly workerId: string } }): void =>
    void failures.delete(worker.workerId);
  events.on('worker:getJob:empty', forget);
  events.on('job:start', forget);
  return new Promise((_, reject) => {
    events.on('worker:getJob:error', ({ worker: { workerId }, error }) => {
      const count = (failures.get(workerId) ?? 0) + 1;
      failures.set(workerId, count);
      if (count >= MAX_FAILURES) reject(new Error('The runner can take no jobs', { cause: error }));
    });
  });
}
