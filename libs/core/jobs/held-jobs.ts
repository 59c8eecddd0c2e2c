import type { DatabasePool } from '../database/database-pool';

/** Jobs that are remembered: a process has three in hand, and writes each down as soon as it is done. */
const MAX_REMEMBERED = 100;

interface HeldJob {
  readonly worker: string;
  isDone: boolean;
}

/**
 * The jobs that this process took last. graphile-worker gives up where the connection breaks on which it writes down what
 * became of a job; the job then stays locked, and is done once more when the lock is old enough.
 */
export class HeldJobs {
  private readonly jobs = new Map<string, HeldJob>();

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

  /** Writes down what is done and lets go of the rest; for when no runner of this process runs. */
  async giveBack(pool: DatabasePool): Promise<void> {
    if (this.jobs.size === 0) return;
    const workers = new Set([...this.jobs.values()].map(({ worker }) => worker));
    const done = [...this.jobs].flatMap(([id, { isDone }]) => (isDone ? [id] : []));
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT graphile_worker.force_unlock_workers($1)', [[...workers]]);
      // Before anybody sees them unlocked.
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
