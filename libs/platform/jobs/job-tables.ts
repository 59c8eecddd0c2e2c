import type { DataSource } from 'typeorm';
import { poolOf } from '../database/database-pool';

/**
 * Only this file names graphile-worker's private tables, as a lint rule checks: the view
 * `graphile_worker.jobs` shows no payload, and no function changes a payload or gives back a single job.
 *
 * At an upgrade of graphile-worker a test asks for the new revision. Read the package's sql/ files
 * after the old one, and check:
 * - the columns of `_private_jobs` and `_private_tasks` in this file keep their names, types and
 *   meaning: a job with `attempts >= max_attempts` has failed for good, one with `locked_at` is in
 *   progress, a finished one is deleted;
 * - `locked_by` is the id of the worker pool, which the event `pool:create` has (worker-watch.ts);
 * - `complete_jobs` skips locked jobs; no job has a queue, so that only its row is locked, freed or deleted;
 * - the columns of the type `job_spec` (queue-job.ts);
 * - `run_at` of a failed job is e^n seconds after try n, at most e^10;
 * - a worker that fails to take jobs emits `worker:getJob:error` at each poll, and goes on (worker-watch.ts);
 * - a pool that cannot record the outcome of a job emits `pool:fatalError` and then `pool:gracefulShutdown`,
 *   and takes no more jobs. Its promise and its stop may wait forever: a batch that succeeds after a failed
 *   one is subtracted twice in `batch` of dist/main.js (worker-watch.ts, job-runner.ts).
 */
export const JOB_SCHEMA_REVISION = 19;

export const JOB_TABLE = 'graphile_worker._private_jobs';
export const TASK_TABLE = 'graphile_worker._private_tasks';

/** For FROM: every job with the name of its task. */
export const JOBS = `(
  SELECT job.id, task.identifier AS task, job.payload, job.key, job.priority, job.attempts, job.max_attempts,
    job.last_error, job.locked_at, job.run_at, job.created_at
  FROM ${JOB_TABLE} job JOIN ${TASK_TABLE} task ON task.id = job.task_id)`;

/**
 * On `job`: when its last try failed. graphile-worker keeps only when the next one is due, e^n seconds after
 * try n. A job in progress has counted its present try already.
 */
export const FAILED_AT = `
  job.run_at - make_interval(secs => exp(least(job.attempts - (job.locked_at IS NOT NULL)::integer, 10)))`;

/**
 * Counts jobs by task and priority; `oldestDue` and `oldest` are in seconds. Counts at most `most` jobs, so
 * that a scrape stays cheap.
 */
export const countJobs = (most: number): string => `
  SELECT task.identifier AS task, job.priority,
    count(*) FILTER (WHERE job.attempts < job.max_attempts AND job.run_at <= now()) AS due,
    count(*) FILTER (WHERE job.attempts < job.max_attempts AND job.run_at > now()) AS later,
    count(*) FILTER (WHERE job.attempts >= job.max_attempts) AS failed,
    extract(epoch FROM now() - min(job.run_at)
      FILTER (WHERE job.attempts < job.max_attempts AND job.run_at <= now()))::float8 AS "oldestDue",
    extract(epoch FROM now() - min(job.created_at) FILTER (WHERE job.attempts < job.max_attempts))::float8 AS oldest
  FROM (SELECT task_id, priority, attempts, max_attempts, run_at, created_at FROM ${JOB_TABLE} LIMIT ${most}) job
  JOIN ${TASK_TABLE} task ON task.id = job.task_id
  GROUP BY task.identifier, job.priority`;

/**
 * Removes waiting jobs and returns their `count`; skips jobs in progress. `condition` is on
 * `job`, a row of {@link JOBS}.
 */
export const withdrawJobsWhere = (condition: string): string => `
  SELECT count(*)::integer AS count FROM graphile_worker.complete_jobs(ARRAY(
    SELECT job.id FROM ${JOBS} job WHERE ${condition}))`;

/**
 * Makes the try in progress the last one, and replaces the payload. `condition` applies
 * to `job`, without its task.
 */
export const giveUpJobsWhere = (condition: string, payload: string): string => `
  UPDATE ${JOB_TABLE} job SET max_attempts = greatest(attempts, 1), last_error = NULL, payload = ${payload}
  WHERE ${condition}`;

/** Makes jobs $1 seconds older, except `locked_at`, which belongs to a running process. */
export const MOVE_JOBS = `
  UPDATE ${JOB_TABLE} SET
    run_at = run_at - make_interval(secs => $1),
    created_at = created_at - make_interval(secs => $1),
    updated_at = updated_at - make_interval(secs => $1)`;

/** Longer than an answer of the database takes to arrive. */
const ANSWER_ARRIVES = '6 seconds';

/**
 * Renews the jobs $2 of the worker pools $1 and records the jobs $3 as completed. Releases other jobs that
 * these pools have locked, and jobs that any process has locked for more than $4 seconds (null: none). A job
 * whose process has ended loses its try, because the job may have ended the process.
 *
 * Takes the rows in the order of their ids and leaves those that others have locked for the next time: a
 * deadlock with the records of graphile-worker would end its pool. Returns the jobs that were released, and
 * those of $3 that are left.
 */
export const RENEW_LEASES = `
  WITH taken AS (
    SELECT id FROM ${JOB_TABLE}
    WHERE locked_by = ANY ($1::text[])
        AND (id = ANY ($2::bigint[] || $3::bigint[]) OR locked_at < now() - interval '${ANSWER_ARRIVES}')
      OR locked_at < now() - make_interval(secs => $4) AND NOT id = ANY ($2::bigint[] || $3::bigint[])
    ORDER BY id FOR UPDATE SKIP LOCKED
  ), renewed AS (
    UPDATE ${JOB_TABLE} SET locked_at = now() WHERE id IN (SELECT id FROM taken) AND id = ANY ($2::bigint[])
  ), recorded AS (
    DELETE FROM ${JOB_TABLE} WHERE id IN (SELECT id FROM taken) AND id = ANY ($3::bigint[])
  ), released AS (
    UPDATE ${JOB_TABLE} SET locked_by = NULL, locked_at = NULL, run_at = greatest(run_at, now()),
      attempts = CASE WHEN locked_by = ANY ($1::text[]) THEN greatest(0, attempts - 1) ELSE attempts END
    WHERE id IN (SELECT id FROM taken) AND NOT id = ANY ($2::bigint[] || $3::bigint[])
    RETURNING id
  )
  SELECT id::text, 'released' AS state FROM released
  UNION ALL
  SELECT id::text, 'left' FROM ${JOB_TABLE}
  WHERE id = ANY ($3::bigint[]) AND locked_by = ANY ($1::text[]) AND NOT id IN (SELECT id FROM taken)`;

/**
 * Migrates graphile-worker's tables if they are outdated. Returns whether they were.
 * Loads the package only then.
 */
export async function migrateJobSchema(dataSource: DataSource): Promise<boolean> {
  if (await isJobSchemaCurrent(dataSource)) return false;
  const { runMigrations, Logger } = await import('graphile-worker');
  const silent = new Logger(() => () => undefined);
  await runMigrations({ pgPool: poolOf(dataSource), schema: 'graphile_worker', logger: silent });
  return true;
}

export async function isJobSchemaCurrent(dataSource: DataSource): Promise<boolean> {
  const [{ installed }] = await dataSource.query<[{ installed: boolean }]>(
    `SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS installed`,
  );
  if (!installed) return false;
  const [{ revision }] = await dataSource.query<[{ revision: number }]>(
    `SELECT coalesce(max(id), 0) AS revision FROM graphile_worker.migrations`,
  );
  return revision >= JOB_SCHEMA_REVISION;
}
