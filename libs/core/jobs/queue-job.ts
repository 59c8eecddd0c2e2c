import type { EntityManager } from 'typeorm';
import { inSendingSpan, traceOfJob, traceOfJobs } from './job-trace';

/**
 * What goes first: `urgent` is what a person waits for (recovery, codes, mail to a user's own name), `invitation` is
 * the mail of an invitation, `bulk` everything that tells many (notifications).
 */
export type JobPriority = 'urgent' | 'invitation' | 'bulk';

/** graphile-worker does the lowest number first; 0 is what it gives jobs that name none. */
const PRIORITY_NUMBERS: Readonly<Record<JobPriority, number>> = { urgent: -10, invitation: 0, bulk: 10 };

/** The word for the number that a job waits under; jobs of graphile-worker's own timetable have that of invitations. */
export const priorityOf = (number: number): JobPriority =>
  number < PRIORITY_NUMBERS.invitation
    ? 'urgent'
    : number === PRIORITY_NUMBERS.invitation
      ? 'invitation'
      : 'bulk';

/** The flag of jobs that are not urgent: one place of each process is kept free of them (see `JobRunner`). */
export const CAN_WAIT = 'can_wait';

/** Names of tasks are `<domain>.<verb>`, such as `mail.send`. */
export interface NewJob {
  readonly task: string;
  /** Stored as it is: a secret in it must be encrypted. */
  readonly payload: object;
  readonly priority: JobPriority;
  /** A job of the same key that still waits is replaced, and can be withdrawn by it. */
  readonly key?: string;
  /** Not before then; at once where absent. */
  readonly runAt?: Date;
  /** How often it is tried, 20 times where absent. */
  readonly tries?: number;
}

/**
 * How often a failing job is tried. graphile-worker waits e^n seconds after the nth try, from the tenth on six
 * hours: 20 tries reach over three days, so a mail server may be away for a weekend.
 */
const MAX_TRIES = 20;

const ADD_JOB = `
  SELECT FROM graphile_worker.add_job($1, $2::json, max_attempts => $3, job_key => $4, run_at => $5::timestamptz,
    priority => $6, flags => $7::text[])`;

const ADD_JOBS = `
  SELECT count(*) FROM graphile_worker.add_jobs((
    SELECT coalesce(array_agg(ROW($1, payload.value, NULL, NULL, $3::smallint, NULL, $4::smallint, $5::text[]
      )::graphile_worker.job_spec), '{}')
    FROM json_array_elements($2::json) AS payload (value)))`;

const flagsOf = (priority: JobPriority): string[] => (priority === 'urgent' ? [] : [CAN_WAIT]);

/** Writes a job in the manager's transaction: nobody sees it before the commit, and a rollback takes it along. */
export async function queueJob(manager: EntityManager, job: NewJob): Promise<void> {
  await inSendingSpan(job.task, () =>
    manager.query(ADD_JOB, [
      job.task,
      JSON.stringify({ ...job.payload, ...traceOfJob() }),
      job.tries ?? MAX_TRIES,
      job.key ?? null,
      job.runAt ?? null,
      PRIORITY_NUMBERS[job.priority],
      flagsOf(job.priority),
    ]),
  );
}

/** Jobs of one kind, as many as there are payloads, with one statement. */
export interface NewJobs extends Pick<NewJob, 'task' | 'priority' | 'tries'> {
  readonly payloads: readonly object[];
}

/** Writes many jobs in the manager's transaction. */
export async function queueJobs(manager: EntityManager, jobs: NewJobs): Promise<void> {
  if (jobs.payloads.length === 0) return;
  await inSendingSpan(jobs.task, () =>
    manager.query(ADD_JOBS, [
      jobs.task,
      JSON.stringify(jobs.payloads.map((payload) => ({ ...payload, ...traceOfJobs() }))),
      jobs.tries ?? MAX_TRIES,
      PRIORITY_NUMBERS[jobs.priority],
      flagsOf(jobs.priority),
    ]),
  );
}

/** Takes back the jobs of these keys that wait; one that is just being done is done. */
export async function withdrawJobs(manager: EntityManager, keys: readonly string[]): Promise<void> {
  await manager.query(
    `SELECT FROM unnest($1::text[]) AS named (key) CROSS JOIN LATERAL graphile_worker.remove_job(named.key)`,
    [keys],
  );
}
