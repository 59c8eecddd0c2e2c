import type { EntityManager } from 'typeorm';
import type { JobPriority } from '@app/platform/jobs/job-priorities';
import { JOBS } from '@app/platform/jobs/job-tables';
import { type NewJob, queueJob, queueJobs } from '@app/platform/jobs/queue-job';
import type { MailPot } from './mail-budget';
import type { MailSourceName } from './mail-source';

/** The job that sends one mail. */
export const SEND_MAIL = 'mail.send';

/** The job that releases mails that wait for the hourly budget of their organisation. */
export const RELEASE_MAILS = 'mail.release';

/** Which mail a job sends. It holds nothing else of it (rule notifications 76). */
export interface MailJob {
  readonly source: MailSourceName;
  readonly id: number;
}

/** Which mails a job releases. */
export interface ReleaseJob {
  readonly source: MailSourceName;
  readonly organisationId: number;
  readonly pot: MailPot;
}

/** For FROM: the jobs that send stored mails, with the id of the mail. No other id is read as a number. */
export const JOBS_OF_STORED_MAILS = `(
  SELECT job.*, CASE job.payload ->> 'source' WHEN 'stored' THEN (job.payload ->> 'id')::integer END AS mail_id
  FROM ${JOBS} job WHERE job.task = '${SEND_MAIL}' AND job.payload ->> 'source' = 'stored')`;

/** Writes the job of one mail. */
export const queueMail = (
  manager: EntityManager,
  payload: MailJob,
  job: Pick<NewJob, 'priority' | 'tries' | 'key' | 'runAt'>,
): Promise<void> => queueJob(manager, { task: SEND_MAIL, payload, ...job });

/** Writes the jobs of many mails of a source. */
export const queueMails = (
  manager: EntityManager,
  source: MailSourceName,
  ids: readonly number[],
  job: { readonly priority: JobPriority; readonly tries: number },
): Promise<void> =>
  queueJobs(manager, { task: SEND_MAIL, payloads: ids.map((id): MailJob => ({ source, id })), ...job });

/** The order of the lines: what was written for one person goes before notifications to many. */
const LINE_PRIORITIES: Readonly<Record<MailSourceName, JobPriority>> = {
  stored: 'invitation',
  recipient: 'bulk',
};

/** Writes the one job of a line of mails, which releases the next ones of them. */
export const queueRelease = (
  manager: EntityManager,
  line: ReleaseJob,
  place: Pick<NewJob, 'runAt' | 'keepsPlace'>,
): Promise<void> =>
  queueJob(manager, {
    task: RELEASE_MAILS,
    payload: line,
    priority: LINE_PRIORITIES[line.source],
    key: `${RELEASE_MAILS}:${line.source}:${line.organisationId}:${line.pot}`,
    ...place,
  });

/** Writes a job that releases the mails of a line soon. It waits for no transaction that does the same. */
export const releaseSoon = (manager: EntityManager, line: ReleaseJob): Promise<void> =>
  queueJob(manager, { task: RELEASE_MAILS, payload: line, priority: LINE_PRIORITIES[line.source] });

/** The turn of a line comes when all mails that wait now have been taken. */
export const takeTurn = (manager: EntityManager, line: ReleaseJob): Promise<void> =>
  queueRelease(manager, line, { keepsPlace: true });
