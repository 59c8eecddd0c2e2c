import type { EntityManager } from 'typeorm';
import type { MailTemplate } from '@app/mail/mail.types';
import { RELEASE_MAILS, SEND_MAIL } from '@app/mail/mail-jobs';
import { withdrawTemplates } from '@app/mail/outbox';
import { EXPAND_NOTIFICATION } from '@app/people/notifications/notification-recorder';
import { NOTIFY_BENEATH } from '@app/people/suspensions/suspension-notifications';
import { JOBS } from '@app/platform/jobs/job-tables';
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
const MAIL_TASKS = [SEND_MAIL, RELEASE_MAILS, WRITE_RECOVERY_MAIL, EXPAND_NOTIFICATION, NOTIFY_BENEATH];

/**
 * Jobs of mails that have tries left. A job that releases stored mails stands for each of them, and one of a
 * mail that was withdrawn for none.
 */
const WAITING = `
  SELECT * FROM (
    SELECT DISTINCT ON (coalesce('mail ' || mail.id, 'job ' || job.id)) job.id AS "jobId", mail.id AS "mailId",
      coalesce(mail.template, job.task) AS kind,
      coalesce(mail.address, recipient.value, job.payload ->> 'username',
        'notification ' || (job.payload ->> 'notificationId'), 'organisation ' || (job.payload ->> 'organisationId'),
        'customer ' || (job.payload ->> 'customerId'), '') AS "to",
      coalesce(mail.created_at, job.created_at) AS "queuedAt", job.attempts AS tries
    FROM ${JOBS} job
    LEFT JOIN mails mail ON CASE job.task
      WHEN '${SEND_MAIL}' THEN job.payload ->> 'source' = 'stored' AND mail.id = (job.payload ->> 'id')::integer
      WHEN '${RELEASE_MAILS}' THEN mail.queued_at IS NULL AND mail.customer_id = (job.payload ->> 'customerId')::integer
      ELSE false END
    LEFT JOIN notification_recipients recipient
      ON recipient.id = CASE job.payload ->> 'source' WHEN 'recipient' THEN (job.payload ->> 'id')::integer END
    WHERE job.task = ANY ($1) AND job.attempts < job.max_attempts
      AND (mail.id IS NOT NULL OR job.payload ->> 'source' IS DISTINCT FROM 'stored')
    ORDER BY coalesce('mail ' || mail.id, 'job ' || job.id), job.id
  ) waiting ORDER BY "jobId", "mailId"`;

/** Waiting mails. In a restored database they may have been sent since the backup. */
export const waitingMails = (manager: EntityManager): Promise<WaitingMail[]> =>
  manager.query<WaitingMail[]>(WAITING, [MAIL_TASKS]);

/** Mails whose only purpose is a link that the restore ends. */
const LINK_MAILS: readonly MailTemplate[] = ['reset', 'usernameLink'];

/** Withdraws the mails whose links have ended. Returns their number. */
export const dropLinkMails = (manager: EntityManager): Promise<number> =>
  withdrawTemplates(manager, LINK_MAILS);

/** Unlocks jobs that workers had locked at the time of the backup. Those workers do not use this database. */
export const releaseJobs = (manager: EntityManager): Promise<unknown> =>
  manager.query(`SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
    FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`);
