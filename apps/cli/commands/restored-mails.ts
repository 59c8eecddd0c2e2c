import type { EntityManager } from 'typeorm';
import type { MailTemplate } from '@app/mail/mail.types';
import { SEND_MAIL } from '@app/mail/mail.types';
import {
  DELIVER_NOTIFICATION,
  EXPAND_NOTIFICATION,
  RELEASE_NOTIFICATIONS,
} from '@app/people/notifications/notification-recorder';
import { NOTIFY_BENEATH } from '@app/people/suspensions/suspension-notices';
import { JOBS, withdrawJobsWhere } from '@app/platform/jobs/job-tables';
import { WRITE_RECOVERY_MAIL } from '@app/sign-in/recovery/recovery-mail.handler';

/** A waiting mail, or a job that makes mails. */
export interface WaitingMail {
  readonly jobId: number;
  /** The mail's template, or the job that writes mails. */
  readonly kind: string;
  /** An e-mail address, or the subject of the mails. */
  readonly to: string;
  readonly queuedAt: Date;
  readonly tries: number;
}

/** Jobs that lead to mails. */
const MAIL_TASKS = [
  SEND_MAIL,
  WRITE_RECOVERY_MAIL,
  DELIVER_NOTIFICATION,
  EXPAND_NOTIFICATION,
  RELEASE_NOTIFICATIONS,
  NOTIFY_BENEATH,
];

/**
 * Jobs of mails that have tries left. The query does not read the secrets in payloads, which are encrypted.
 */
const WAITING = `
  SELECT job.id AS "jobId", coalesce(job.payload ->> 'template', job.task) AS kind,
    coalesce(job.payload ->> 'to', recipient.value, job.payload ->> 'username',
      'notification ' || (job.payload ->> 'notificationId'), 'organisation ' || (job.payload ->> 'organisationId'), '') AS "to",
    job.created_at AS "queuedAt", job.attempts AS tries
  FROM ${JOBS} job
  LEFT JOIN notification_recipients recipient ON recipient.id = (job.payload ->> 'recipientId')::integer
  WHERE job.task = ANY ($1) AND job.attempts < job.max_attempts ORDER BY job.id`;

/** Waiting mails. In a restored database they may have been sent since the backup. */
export const waitingMails = (manager: EntityManager): Promise<WaitingMail[]> =>
  manager.query<WaitingMail[]>(WAITING, [MAIL_TASKS]);

/** Mails whose only purpose is a link that the restore ends. */
const LINK_MAILS: readonly MailTemplate[] = [
  'reset',
  'ownNameChanged',
  'nameProof',
  'authenticatorAdded',
  'passkeyAdded',
  'passkeyAddedLater',
  'passkeyGoing',
];

const DROP_LINK_MAILS = withdrawJobsWhere(`job.task = $1 AND job.payload ->> 'template' = ANY ($2)`);

/** Withdraws the mails whose links have ended. Returns their number. */
export async function dropLinkMails(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(DROP_LINK_MAILS, [SEND_MAIL, LINK_MAILS]);
  return row?.count ?? 0;
}

/** Unlocks jobs that workers had locked at the time of the backup. Those workers do not use this database. */
export const releaseJobs = (manager: EntityManager): Promise<unknown> =>
  manager.query(`SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
    FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`);
