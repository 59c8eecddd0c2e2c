import type { EntityManager } from 'typeorm';
import type { JobPriority } from '@app/platform/jobs/job-priorities';
import { JOBS } from '@app/platform/jobs/job-tables';
import { type NewJob, queueJob, queueJobs } from '@app/platform/jobs/queue-job';
import type { MailSourceName, UnreleasedMail } from './mail-source';

/** The job that sends one mail. */
export const SEND_MAIL = 'mail.send';

/** The job that releases mails that wait in the line of a customer. */
export const RELEASE_MAILS = 'mail.release';

/** Which mail a job sends. It holds nothing else of it. */
export interface MailJob {
  readonly source: MailSourceName;
  readonly id: number;
  /** The mail says that further ones of its kind are skipped for now. */
  readonly isLast?: true;
}

/** The customer whose line a job releases mails of. */
export interface ReleaseJob {
  readonly customerId: number;
}

/** For FROM: the jobs that send stored mails, with the id of the mail. No other id is read as a number. */
export const JOBS_OF_STORED_MAILS = `(
  SELECT job.*, CASE job.payload ->> 'source' WHEN 'stored' THEN (job.payload ->> 'id')::bigint END AS mail_id
  FROM ${JOBS} job WHERE job.task = '${SEND_MAIL}' AND job.payload ->> 'source' = 'stored')`;

/** Writes the job of one mail. */
export const queueMail = (
  manager: EntityManager,
  payload: MailJob,
  job: Pick<NewJob, 'priority' | 'tries' | 'key' | 'runAt'>,
): Promise<void> => queueJob(manager, { task: SEND_MAIL, payload, ...job });

interface LeavingMail extends Pick<UnreleasedMail, 'id' | 'job'> {
  readonly isLast: boolean;
}

/**
 * Writes the jobs of mails of a source, those alike by one statement. A job with a key replaces the one
 * before.
 */
export async function queueMails(
  manager: EntityManager,
  source: MailSourceName,
  mails: readonly LeavingMail[],
): Promise<void> {
  const alike = new Map<string, LeavingMail[]>();
  for (const mail of mails) {
    const { key, priority, tries } = mail.job;
    const kind = JSON.stringify([key, priority, tries]);
    alike.set(kind, [...(alike.get(kind) ?? []), mail]);
  }
  for (const group of alike.values()) {
    const [{ job }] = group as [LeavingMail];
    const payloads = group.map(({ id, isLast }): MailJob => ({ source, id, ...(isLast && { isLast }) }));
    if (job.key === undefined) await queueJobs(manager, { task: SEND_MAIL, payloads, ...job });
    else await queueMail(manager, payloads[0] as MailJob, job);
  }
}

/**
 * One of the two jobs that a line has: for its next turn, and for the time when mails may leave that wait for
 * one.
 */
interface LineJob extends Pick<NewJob, 'priority' | 'runAt' | 'keepsPlace'> {
  readonly name: 'turn' | 'later';
}

export const queueRelease = (
  manager: EntityManager,
  customerId: number,
  { name, ...job }: LineJob,
): Promise<void> =>
  queueJob(manager, {
    task: RELEASE_MAILS,
    payload: { customerId } satisfies ReleaseJob,
    key: `${RELEASE_MAILS}:${customerId}:${name}`,
    ...job,
  });

/** Writes a job that releases mails of a line soon. It waits for no transaction that does the same. */
export const releaseSoon = (
  manager: EntityManager,
  customerId: number,
  priority: JobPriority,
): Promise<void> =>
  queueJob(manager, { task: RELEASE_MAILS, payload: { customerId } satisfies ReleaseJob, priority });

/** The turn of a line comes when all mails that wait now have been taken. */
export const takeTurn = (manager: EntityManager, customerId: number): Promise<void> =>
  queueRelease(manager, customerId, { name: 'turn', priority: 'bulk', keepsPlace: true });
