import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { prepared, PreparedQueries } from '../database/prepared-queries';

/** Milliseconds that a scrape waits for the database; Prometheus gives up after ten seconds. */
const MAX_WAIT = 1500;

/** Milliseconds that a reading is good for: however often somebody scrapes, the database is asked once in them. */
const SHELF_LIFE = 1000;

/** Jobs that are counted: more than that wait only where something is wrong, and a scrape must stay cheap. */
const MAX_COUNTED_JOBS = 100_000;

/** Jobs of one task and priority. */
export interface JobCounts {
  readonly task: string;
  readonly priority: number;
  readonly due: number;
  readonly later: number;
  readonly failed: number;
  /** Seconds that the oldest due one has waited for a worker. */
  readonly oldestDue: number | null;
}

/** What only the database knows. */
export interface DatabaseReading {
  /** Goes up by one with each failover. */
  readonly timeline: number | null;
  readonly standbys: number;
  readonly jobs: readonly JobCounts[];
}

const READ = prepared<DatabaseReading>(`
  SELECT CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END AS timeline,
    (SELECT count(*)::integer FROM pg_stat_replication) AS standbys,
    (SELECT coalesce(json_agg(counted), '[]') FROM (
      SELECT task.identifier AS task, job.priority,
        count(*) FILTER (WHERE job.attempts < job.max_attempts AND job.run_at <= now()) AS due,
        count(*) FILTER (WHERE job.attempts < job.max_attempts AND job.run_at > now()) AS later,
        count(*) FILTER (WHERE job.attempts >= job.max_attempts) AS failed,
        extract(epoch FROM now() - min(job.run_at)
          FILTER (WHERE job.attempts < job.max_attempts AND job.run_at <= now()))::float8 AS "oldestDue"
      FROM (
        SELECT task_id, priority, attempts, max_attempts, run_at FROM graphile_worker._private_jobs
        LIMIT ${MAX_COUNTED_JOBS}
      ) job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
      GROUP BY task.identifier, job.priority
    ) counted) AS jobs`);

/** Asks the database what metrics tell of it: with one statement, and only while somebody scrapes. */
@Injectable()
export class DatabaseReadings {
  private reading: Promise<DatabaseReading | undefined> | undefined;
  private readAt = 0;

  constructor(private readonly queries: PreparedQueries) {}

  /** Undefined where the database does not answer in time. */
  async read(): Promise<DatabaseReading | undefined> {
    const reading = this.current();
    const giveUp = new AbortController();
    try {
      return await Promise.race([reading, pause(MAX_WAIT, undefined, { signal: giveUp.signal })]);
    } finally {
      giveUp.abort();
    }
  }

  /** One at a time: scrapes of a silent database must not take one connection each. */
  private current(): Promise<DatabaseReading | undefined> {
    if (this.reading !== undefined && performance.now() - this.readAt < SHELF_LIFE) return this.reading;
    this.readAt = Infinity;
    this.reading = this.queries
      .row<DatabaseReading>(READ, [])
      .catch(() => undefined)
      .finally(() => {
        this.readAt = performance.now();
      });
    return this.reading;
  }
}
