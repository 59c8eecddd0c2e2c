import { erasedBy, type Person, storedBy, touchedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import { giveUpJobsWhere, JOB_TABLE, JOBS, withdrawJobsWhere } from '@app/platform/jobs/job-tables';
import { mailContext } from './mail.types';
import { JOBS_OF_STORED_MAILS } from './mail-jobs';

/** Mails to the person, and those of its invitations. */
const TO_PERSON = `(fold_case(address) = ANY ($1::text[]) OR user_id = $2
  OR (outcome_of = 'invitation' AND outcome_of_id = ANY ($3::integer[])))`;

const toPerson = ({ verifiedNames, id, invitationIds }: Person): readonly unknown[] => [
  verifiedNames,
  id,
  invitationIds,
];

const STORED = `
  SELECT id, created_at AS "createdAt", queued_at AS "queuedAt", expires_at AS "expiresAt", template AS mail, address,
    language, texts
  FROM mails WHERE ${TO_PERSON} ORDER BY id`;

/** A worker that is sending one finishes it. */
const WITHDRAW = `DELETE FROM mails WHERE ${TO_PERSON}`;

export const MAIL_RULES: TableRules = {
  table: 'mails',
  personalTexts: 'address texts encrypted',
  otherTexts: 'mail_key template language origin outcome_of',
  encrypted: [
    {
      name: 'waitingMails',
      kind: 'waiting mail',
      example: 'mail',
      encrypted: 'encrypted',
      id: 'id',
      bound: 'message_id',
      contextOf: mailContext,
    },
  ],
  /** Mails whose jobs are done or were given up a month ago. */
  outdated: `queued_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM ${JOBS_OF_STORED_MAILS} job WHERE job.mail_id = mails.id)`,
  part: 'waitingMails',
  about: 'Mails to the person that wait to be sent. Links and codes in them are not stored readably.',
  stored: storedBy(STORED, toPerson),
  erase: erasedBy(WITHDRAW, toPerson),
};

/** Jobs that will do something for the user name. */
const OF_PERSON = `fold_case(job.payload ->> 'username') = ANY ($1::text[])`;

const WITHDRAW_JOBS = withdrawJobsWhere(OF_PERSON);

/** A worker that does one finishes it, but no further try follows. */
const EMPTY_JOBS = giveUpJobsWhere(OF_PERSON, `(payload::jsonb - '{username,network}'::text[])::json`);

export const JOB_RULES: TableRules = {
  table: JOB_TABLE,
  personalTexts: 'payload',
  // The words of a mail server stand there without the address (MailDelivery).
  otherTexts: 'last_error key locked_by flags',
  part: 'waitingJobs',
  about: 'What was asked for with the user name of the person and waits to be done.',
  stored: storedBy(
    `SELECT job.id, job.created_at AS "createdAt", job.run_at AS "runAt", job.attempts, job.task,
       job.payload ->> 'username' AS username, job.payload ->> 'network' AS network
     FROM ${JOBS} job WHERE ${OF_PERSON} ORDER BY job.id`,
    ({ usernames }) => [usernames],
  ),
  erase: async (manager, { usernames }) => {
    const [withdrawn] = await manager.query<{ count: number }[]>(WITHDRAW_JOBS, [usernames]);
    return Number(withdrawn?.count ?? 0) + (await touchedBy(manager, EMPTY_JOBS, [usernames]));
  },
};
