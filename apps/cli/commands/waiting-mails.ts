import type { EntityManager } from 'typeorm';
import { SEND_MAIL } from '@app/core/mail/outbox';
import type { MailTemplate } from '@app/core/mail/mail.types';
import {
  DELIVER_NOTIFICATION,
  EXPAND_NOTIFICATION,
  RELEASE_NOTIFICATIONS,
} from '@app/notifications/notification-jobs';
import { WRITE_RECOVERY_MAIL } from '@app/recovery/recovery-mail.handler';
import { TELL_BENEATH } from '@app/suspensions/suspension-notices';

/** A mail that waits to be sent, or a job that will make some. */
export interface WaitingMail {
  readonly jobId: number;
  /** The mail's template, or the task that writes mails. */
  readonly kind: string;
  /** An address, or whom or what the mails are about. */
  readonly to: string;
  readonly queuedAt: Date;
  readonly tries: number;
}

/** Tasks that end in mails. */
const MAIL_TASKS = [
  SEND_MAIL,
  WRITE_RECOVERY_MAIL,
  DELIVER_NOTIFICATION,
  EXPAND_NOTIFICATION,
  RELEASE_NOTIFICATIONS,
  TELL_BENEATH,
];

/** Jobs that were given up wait for nothing. Payloads hold no secret but encrypted ones, which stay here. */
const WAITING = `
  SELECT job.id AS "jobId", coalesce(job.payload ->> 'template', task.identifier) AS kind,
    coalesce(job.payload ->> 'to', recipient.value, job.payload ->> 'username',
      'notification ' || (job.payload ->> 'notificationId'), 'organisation ' || (job.payload ->> 'organisationId'), '') AS "to",
    job.created_at AS "queuedAt", job.attempts AS tries
  FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
  LEFT JOIN notification_recipients recipient ON recipient.id = (job.payload ->> 'recipientId')::integer
  WHERE task.identifier = ANY ($1) AND job.attempts < job.max_attempts ORDER BY job.id`;

/** Mails that wait. Those of a restored database may have been sent since the backup was made. */
export const waitingMails = (manager: EntityManager): Promise<WaitingMail[]> =>
  manager.query<WaitingMail[]>(WAITING, [MAIL_TASKS]);

/** Mails whose whole point is a link that ends with the restore. */
const LINK_MAILS: readonly MailTemplate[] = ['reset', 'ownNameChanged'];

const DROP_LINK_MAILS = `
  SELECT count(*)::integer AS dropped FROM graphile_worker.complete_jobs(ARRAY(
    SELECT job.id FROM graphile_worker._private_jobs job
    JOIN graphile_worker._private_tasks task ON task.id = job.task_id
    WHERE task.identifier = $1 AND job.payload ->> 'template' = ANY ($2)))`;

/** Takes back the mails whose links have ended, and tells how many. */
export async function dropLinkMails(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ dropped: number }[]>(DROP_LINK_MAILS, [SEND_MAIL, LINK_MAILS]);
  return row?.dropped ?? 0;
}

/** Gives back the jobs that workers held when the backup was made: those workers are not of this database. */
export const releaseJobs = (manager: EntityManager): Promise<unknown> =>
  manager.query(`SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
    FROM graphile_worker.jobs WHERE locked_at IS NOT NULL`);
