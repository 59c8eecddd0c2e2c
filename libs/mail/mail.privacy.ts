import { type Person, storedBy, touchedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import {
  FORGET_IN_JOBS,
  giveUpJobsWhere,
  JOB_TABLE,
  JOBS,
  replaceInPayloads,
  withdrawJobsWhere,
} from '@app/platform/jobs/job-tables';
import { mailContext } from './mail.types';

/**
 * Mails to the person, also with a sealed address or of its invitation, and jobs that will
 * write a mail to the user name.
 */
const TO_PERSON = `(fold_case(job.payload ->> 'to') = ANY ($1::text[]) OR fold_case(job.payload ->> 'username') = ANY ($2::text[])
  OR job.payload ->> 'deletedUserId' = $3::text
  OR (job.payload #>> '{settles,kind}' = 'invitation' AND job.payload #>> '{settles,id}' = ANY ($4::text[])))`;

const STORED = `
  SELECT job.id, job.created_at AS "createdAt", job.run_at AS "runAt", job.attempts, job.payload ->> 'template' AS mail,
    job.payload ->> 'to' AS "to", job.payload ->> 'language' AS language, job.payload -> 'values' AS "values"
  FROM ${JOBS} job WHERE ${TO_PERSON} ORDER BY job.id`;

const WITHDRAW = withdrawJobsWhere(TO_PERSON);

/** A worker that is sending the mail finishes it, but no further try follows. */
const EMPTY = giveUpJobsWhere(
  TO_PERSON,
  `json_build_object('mailId', payload ->> 'mailId', 'template', payload ->> 'template',
    'to', '(erased)', 'language', payload ->> 'language', 'values', '{}'::json)`,
);

const valuesOf = ({ addresses, usernames, id, acceptedInvitationIds }: Person): readonly unknown[] => [
  addresses,
  usernames,
  String(id),
  acceptedInvitationIds.map(String),
];

export const MAIL_PERSONAL_DATA: TableRules = {
  table: JOB_TABLE,
  sealed: [
    {
      name: 'waitingMails',
      kind: 'waiting mail',
      example: 'mail job',
      sealed: `payload ->> 'sealed'`,
      id: 'id',
      bound: `payload ->> 'mailId'`,
      contextOf: mailContext,
      from: `${JOBS} job`,
      replace: replaceInPayloads('sealed'),
    },
  ],
  part: 'waitingMails',
  about: 'Mails to the person that wait to be sent. Links and codes in them are not stored readably.',
  stored: storedBy(STORED, valuesOf),
  erase: async (manager, known) => {
    const person = valuesOf(known);
    const { everywhere, named } = known;
    const [withdrawn] = await manager.query<{ count: number }[]>(WITHDRAW, [...person]);
    const emptied = await touchedBy(manager, EMPTY, person);
    const reworded = await touchedBy(manager, FORGET_IN_JOBS, [everywhere, named]);
    return Number(withdrawn?.count ?? 0) + emptied + reworded;
  },
};
