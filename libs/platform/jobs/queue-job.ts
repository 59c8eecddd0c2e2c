import type { EntityManager } from 'typeorm';
import { traceHeaders } from '../observability/tracing';
import { type JobPriority, PRIORITY_NUMBERS } from './job-priorities';
import { inSendingSpan, linkToTrace } from './job-trace';

/** The flag of jobs that are not urgent. One worker of each process skips them (see `JobRunner`). */
export const CAN_WAIT = 'can_wait';

export interface NewJob {
  /** `<domain>.<verb>`, such as `mail.send`. */
  readonly task: string;
  /** Stored unencrypted, so encrypt secrets in it. */
  readonly payload: object;
  readonly priority: JobPriority;
  /** A job replaces a waiting job with the same key. */
  readonly key?: string;
  /** A waiting job with the same key keeps its place in the line. */
  readonly keepsPlace?: boolean;
  /** Default: at once. */
  readonly runAt?: Date;
  /** Default: 20. */
  readonly tries?: number;
}

/**
 * graphile-worker waits e^n seconds after try n, and six hours from the tenth try on. 20 tries take over
 * two and a half days, because a mail server may be away for a weekend.
 */
const MAX_TRIES = 20;

const ADD_JOB = `
  SELECT FROM graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => $5::timestamptz,
    priority => $6, flags => $7::text[], job_key_mode => $8)`;

const ADD_JOBS = `
  SELECT count(*) FROM graphile_worker.add_jobs((
    SELECT coalesce(array_agg(ROW($1, payload.value, NULL, NULL, $3::smallint, NULL, $4::smallint, $5::text[]
      )::graphile_worker.job_spec), '{}')
    FROM json_array_elements($2::json) AS payload (value)))`;

const flagsOf = (priority: JobPriority): string[] => (priority === 'urgent' ? [] : [CAN_WAIT]);

/** Writes a job in the manager's transaction. */
export async function queueJob(manager: EntityManager, job: NewJob): Promise<void> {
  await inSendingSpan(job.task, () =>
    manager.query(ADD_JOB, [
      job.task,
      JSON.stringify({ ...job.payload, ...traceHeaders() }),
      job.tries ?? MAX_TRIES,
      job.key ?? null,
      job.runAt ?? null,
      PRIORITY_NUMBERS[job.priority],
      flagsOf(job.priority),
      job.keepsPlace === true ? 'preserve_run_at' : 'replace',
    ]),
  );
}

/** Several jobs, one for each payload. */
interface NewJobs extends Pick<NewJob, 'task' | 'priority' | 'tries'> {
  readonly payloads: readonly object[];
}

/** Writes many jobs in the manager's transaction, with one statement. */
export async function queueJobs(manager: EntityManager, jobs: NewJobs): Promise<void> {
  if (jobs.payloads.length === 0) return;
  await inSendingSpan(jobs.task, () =>
    manager.query(ADD_JOBS, [
      jobs.task,
      JSON.stringify(jobs.payloads.map((payload) => ({ ...payload, ...linkToTrace() }))),
      jobs.tries ?? MAX_TRIES,
      PRIORITY_NUMBERS[jobs.priority],
      flagsOf(jobs.priority),
    ]),
  );
}
