import { type Person, storedBy, touchedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import {
  FORGET_IN_JOBS,
  giveUpJobsWhere,
  isJobNaming,
  JOB_TABLE,
  JOBS,
  lockJobsWhere,
  withdrawJobsWhere,
} from '@app/platform/jobs/job-tables';
import { mailContext } from './mail.types';
import { JOBS_OF_STORED_MAILS } from './mail-jobs';

/** Mails to the person, also at a sealed address, at one that others have too, or of its invitation. */
const TO_PERSON = `(fold_case(address) = ANY ($1::text[]) OR user_id = $2
  OR (settles = 'invitation' AND settles_id = ANY ($3::integer[])))`;

const toPerson = ({ addresses, id, invitationIds }: Person): readonly unknown[] => [
  addresses,
  id,
  invitationIds,
];

const STORED = `
  SELECT id, created_at AS "createdAt", queued_at AS "queuedAt", expires_at AS "expiresAt", template AS mail, address,
    language, texts
  FROM mails WHERE ${TO_PERSON} ORDER BY id`;

/** Also mails to a contact of the person with an address of it. A worker that is sending one finishes it. */
const WITHDRAW = `
  DELETE FROM mails WHERE ${TO_PERSON}
    OR (is_named_in(texts::text, $4) AND is_named_in(address, $5))`;

const FORGET = `UPDATE mails SET texts = forget_in_json(texts, $2, true) WHERE is_named_in(texts::text, $1)`;

export const MAIL_RULES: TableRules = {
  table: 'mails',
  sealed: [
    {
      name: 'waitingMails',
      kind: 'waiting mail',
      example: 'mail',
      sealed: 'sealed',
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
  erase: async (manager, person) => {
    const { everywhere, named } = person;
    const withdrawn = await touchedBy(manager, WITHDRAW, [...toPerson(person), everywhere, named]);
    return withdrawn + (await touchedBy(manager, FORGET, [everywhere, named]));
  },
};

/** Jobs that will do something for the user name. */
const OF_PERSON = `fold_case(job.payload ->> 'username') = ANY ($1::text[])`;

/** All jobs that the statements below change. */
const LOCK_JOBS = lockJobsWhere(`${OF_PERSON} OR ${isJobNaming('$2')}`);

const WITHDRAW_JOBS = withdrawJobsWhere(OF_PERSON);

/** A worker that does one finishes it, but no further try follows. */
const EMPTY_JOBS = giveUpJobsWhere(OF_PERSON, `(payload::jsonb - 'username')::json`);

/** Jobs of all domains: what a failure said may name the person too. */
export const JOB_RULES: TableRules = {
  table: JOB_TABLE,
  part: 'waitingJobs',
  about: 'What was asked for with the user name of the person and waits to be done.',
  stored: storedBy(
    `SELECT job.id, job.created_at AS "createdAt", job.run_at AS "runAt", job.attempts, job.task,
       job.payload ->> 'username' AS username
     FROM ${JOBS} job WHERE ${OF_PERSON} ORDER BY job.id`,
    ({ usernames }) => [usernames],
  ),
  erase: async (manager, { usernames, everywhere, named }) => {
    await manager.query(LOCK_JOBS, [usernames, everywhere]);
    const [withdrawn] = await manager.query<{ count: number }[]>(WITHDRAW_JOBS, [usernames]);
    const emptied = await touchedBy(manager, EMPTY_JOBS, [usernames]);
    const reworded = await touchedBy(manager, FORGET_IN_JOBS, [everywhere, named]);
    return Number(withdrawn?.count ?? 0) + emptied + reworded;
  },
};
