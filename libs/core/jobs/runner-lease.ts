import { setTimeout as pauseFor } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { DatabasePool } from '../database/database-pool';

/** The first of two numbers of each of these advisory locks; no other lock of the service has two. */
const LOCK_CLASS = 7_218_451;
/** Milliseconds between two looks for runners that are gone. */
const LOOK_INTERVAL = 10_000;
/** Milliseconds before a connection that broke is replaced. */
const RETRY_DELAY = 1000;
/** For so long a runner whose connection broke may be without its lock: three looks. */
const GRACE = '30 seconds';

/** Shared: two runners whose names have the same hash keep nobody waiting. */
const TAKE = `SELECT pg_advisory_lock_shared(${LOCK_CLASS}, hashtext($1))`;

const GIVE_BACK = `
  WITH gone AS (
    SELECT array_agg(DISTINCT job.locked_by) AS runners FROM graphile_worker._private_jobs job
    WHERE job.locked_at < now() - interval '${GRACE}' AND NOT EXISTS (
      SELECT FROM pg_locks held
      WHERE held.locktype = 'advisory' AND held.objsubid = 2 AND held.classid = ${LOCK_CLASS}
        AND held.objid::bigint = hashtext(job.locked_by)::bigint & 4294967295
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
  )
  SELECT runners, graphile_worker.force_unlock_workers(runners) FROM gone WHERE runners IS NOT NULL`;

/** Runners of this process ($1) hold these jobs, but have only others ($2) in hand: the answer that gave them was lost. */
const GIVE_BACK_LOST = `
  UPDATE graphile_worker._private_jobs
  SET locked_by = NULL, locked_at = NULL, attempts = greatest(0, attempts - 1), run_at = greatest(run_at, now())
  WHERE locked_by = ANY ($1::text[]) AND NOT id = ANY ($2::bigint[]) AND locked_at < now() - interval '${GRACE}'
  RETURNING id`;

/**
 * Tells other processes that the runners of this one live, and gives back the jobs of those that do not. PostgreSQL lets
 * an advisory lock go when the session ends that took it, however its process ended. A process that stands still, or
 * whose machine is gone, keeps its session for a while: its jobs wait until the session ends or they are old enough for
 * the clean-up.
 */
export class RunnerLease {
  private readonly runners = new Set<string>();
  /** Ids of jobs. What has been done stays until the next look is over: by then it is written down. */
  private readonly inHand = new Set<string>();
  private readonly done = new Set<string>();
  private readonly ended = new AbortController();

  /** @param events of the runners, which tell there under which names they lock jobs, and which they have in hand */
  constructor(
    events: WorkerEvents,
    private readonly logger: Logger,
  ) {
    events.on('pool:create', ({ workerPool }) => this.runners.add(workerPool.id));
    events.on('job:start', ({ job }) => {
      this.done.delete(String(job.id));
      this.inHand.add(String(job.id));
    });
    events.on('job:complete', ({ job }) => this.done.add(String(job.id)));
  }

  /** From when the runners have started until they have ended. */
  async keep(pool: DatabasePool): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        await this.keepOn(pool);
      } catch (error) {
        this.logger.warn({ err: error }, 'the lock of the jobs of this process is lost, will be taken again');
        await this.pause(RETRY_DELAY);
      }
    }
  }

  end(): void {
    this.ended.abort();
  }

  private async keepOn(pool: DatabasePool): Promise<void> {
    const client = await pool.connect();
    try {
      for (const runner of this.runners) await client.query(TAKE, [runner]);
      while (!this.ended.signal.aborted) {
        const { rows } = await client.query<{ runners: string[] }>(GIVE_BACK);
        for (const { runners } of rows)
          this.logger.warn({ runners }, 'jobs of processes that are gone are given back');
        await this.giveBackLost(client);
        await this.pause(LOOK_INTERVAL);
      }
    } finally {
      // Ends the session, and its locks with it.
      client.release(true);
    }
  }

  private async giveBackLost(client: PoolClient): Promise<void> {
    const done = [...this.done];
    const { rows } = await client.query<{ id: string }>(GIVE_BACK_LOST, [
      [...this.runners],
      [...this.inHand],
    ]);
    if (rows.length > 0)
      this.logger.warn({ jobs: rows.map(({ id }) => id) }, 'jobs whose answer was lost are given back');
    for (const id of done) if (this.done.delete(id)) this.inHand.delete(id);
  }

  private async pause(milliseconds: number): Promise<void> {
    await pauseFor(milliseconds, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }
}
