import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PersonalData, touchedBy, type Person, type StoredRecord } from '../privacy/personal-data';

/** To the person, or about to be written to whoever has the name. */
const TO_PERSON = `(lower(job.payload ->> 'to') = ANY ($1::text[]) OR lower(job.payload ->> 'username') = ANY ($2::text[]))`;

const STORED = `
  SELECT job.id, job.created_at AS "createdAt", job.run_at AS "runAt", job.attempts, job.payload ->> 'template' AS mail,
    job.payload ->> 'to' AS "to", job.payload ->> 'language' AS language, job.payload -> 'values' AS "values"
  FROM graphile_worker._private_jobs job WHERE ${TO_PERSON} ORDER BY job.id`;

const WITHDRAW = `
  SELECT count(*) AS count FROM graphile_worker.complete_jobs((
    SELECT coalesce(array_agg(job.id), '{}') FROM graphile_worker._private_jobs job WHERE ${TO_PERSON}))`;

/** One that is just being sent is left to its sender, and not tried again. */
const EMPTY = `
  UPDATE graphile_worker._private_jobs job SET max_attempts = greatest(attempts, 1), last_error = NULL,
    payload = json_build_object('mailId', payload ->> 'mailId', 'template', payload ->> 'template',
      'to', '(erased)', 'language', payload ->> 'language', 'values', '{}'::json)
  WHERE ${TO_PERSON}`;

/** What other mails say of the person, and what mail servers said. */
const FORGET = `
  UPDATE graphile_worker._private_jobs SET last_error = forget_in_text(last_error, $1),
    payload = forget_in_json(payload::jsonb, $1, true)::json
  WHERE payload::text ~* $1 OR last_error ~* $1`;

/** graphile-worker offers no way to change a job's payload; a test holds the revision of its schema (job-schema.ts). */
@Injectable()
export class MailPersonalData extends PersonalData {
  readonly table = 'graphile_worker._private_jobs';
  readonly position = 140;
  readonly part = 'waitingMails';
  readonly about =
    'Mails to the person that wait to be sent. Links and codes in them are not stored readably.';

  readonly erase = async (
    manager: EntityManager,
    { addresses, usernames, everywhere }: Person,
  ): Promise<number> => {
    const [withdrawn] = await manager.query<{ count: number }[]>(WITHDRAW, [addresses, usernames]);
    const emptied = await touchedBy(manager, EMPTY, [addresses, usernames]);
    return Number(withdrawn?.count ?? 0) + emptied + (await touchedBy(manager, FORGET, [everywhere]));
  };

  stored(manager: EntityManager, { addresses, usernames }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [addresses, usernames]);
  }
}
