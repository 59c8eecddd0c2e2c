import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { JOBS } from '@app/platform/jobs/job-tables';
import { Settings } from '@app/platform/process/settings';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/lifecycle/deletions';
import {
  type Person,
  PersonalData,
  type StoredRecord,
  type Texts,
  touchedBy,
} from '@app/lifecycle/personal-data';

const BATCH = 1000;

// Tries end within three days: the last one was killed before it stored the outcome. The mail of an invitation may wait
// longer for its organisation's budget: see below.
const INTERRUPTED = `
  UPDATE notification_recipients SET status = 'failed', message = 'The delivery was interrupted.'
  WHERE status = 'queued' AND queued_at < now() - interval '3 days' AND kind <> 'invited'`;

// A job without tries whose recipient still waits was killed at its last try. A locked job is still running.
// Mails that version 1.0 queued have a `reference` (see `MailPayload`).
const KILLED = `
  UPDATE notification_recipients r SET status = 'failed', message = 'The delivery was interrupted.'
  FROM notifications n, ${JOBS} j
  WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL AND j.key IS NOT NULL
    AND coalesce(j.payload #>> '{settles,kind}', 'invitation') = 'invitation' AND n.entity_class = 'Invitation'
    AND n.entity_id::text = coalesce(j.payload #>> '{settles,id}', substring(j.payload ->> 'reference' FROM '^invited:(.+)'))
    AND n.id = r.notification_id AND r.kind = 'invited' AND r.status = 'queued'`;

/** Ids grow with time: the oldest rows suffice. The foreign key deletes their recipients. */
const past = (retention: number): string => `
  WITH gone AS (
    DELETE FROM notifications WHERE id IN (
      SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ${BATCH}) oldest
      WHERE created_at < now() - make_interval(secs => ${retention}))
    RETURNING id
  ) SELECT count(*) = ${BATCH} AS more FROM gone`;

@Injectable()
export class NotificationsCleanUp extends CleanUp {
  readonly statements: readonly string[];

  constructor({ retention }: Settings) {
    super();
    this.statements = [
      INTERRUPTED,
      KILLED,
      ...(retention.notifications === undefined ? [] : [past(retention.notifications)]),
    ];
  }
}

/** Empties the names and addresses of recipients, and skips their waiting deliveries. */
const FORGET_RECIPIENT = `UPDATE notification_recipients r SET full_name = '', value = '', message = '',
    status = CASE r.status WHEN 'queued' THEN 'skipped' ELSE r.status END`;

const FORGET_DELETED_USERS = `${FORGET_RECIPIENT} WHERE r.user_id = ANY ($1::integer[])`;

/** The user was invited at the same address before. */
const FORGET_INVITED = `${FORGET_RECIPIENT}
  FROM notifications n JOIN users u ON u.organisation_id = n.organisation_id
  WHERE u.id = ANY ($1::integer[]) AND n.entity_class = 'Invitation' AND r.notification_id = n.id
    AND r.kind = 'invited' AND lower(r.value) = lower(u.username)`;

const FORGET_SUBJECTS = `
  UPDATE notifications SET entity_name = ''
  WHERE about_user_id = ANY ($1::integer[]) AND entity_class IN ('User', 'Contact')`;

const FORGET_INVITATIONS = `
  UPDATE notifications n SET entity_name = '', params = n.params - 'email'
  FROM users u
  WHERE u.id = ANY ($1::integer[]) AND u.organisation_id = n.organisation_id AND n.entity_class = 'Invitation'
    AND lower(n.params ->> 'email') = lower(u.username)`;

/** Waiting deliveries to deleted users and within deleted organisations are skipped. */
@Injectable()
export class NotificationDeletion extends DeletionHandler {
  readonly table = 'notifications';
  readonly withOrganisation = stays(
    'history, which nobody reads any more: every route asks for the organisation',
  );

  /** The notifications stay as history of the organisation, without names and addresses of the users. */
  readonly withUsers = async (manager: EntityManager, userIds: readonly number[]): Promise<void> => {
    for (const statement of [FORGET_DELETED_USERS, FORGET_INVITED, FORGET_SUBJECTS, FORGET_INVITATIONS]) {
      await manager.query(statement, [userIds]);
    }
  };
}

const STORED = `
  SELECT id, organisation_id AS "organisationId", created_at AS "createdAt", notification_group AS "group", type,
    entity_class AS "entityClass", entity_id AS "entityId", entity_name AS "entityName", subject, params,
    user_id IS NOT DISTINCT FROM $1 AS "causedByPerson", about_user_id IS NOT DISTINCT FROM $1 AS "aboutPerson"
  FROM notifications WHERE user_id = $1 OR about_user_id = $1 ORDER BY id`;

/** The person's names within the own organisation, and those that identify the person anywhere. */
const PATTERN = `CASE WHEN organisation_id = $3 THEN $4 ELSE $5 END`;

const NOTIFICATION_TEXTS = textsOf(
  'notifications',
  `entity_name = left(forget_in_text(entity_name, ${PATTERN}), 255),
   subject = left(forget_in_text(subject, ${PATTERN}), 255), params = forget_in_json(params, ${PATTERN}, true)`,
  `entity_name ~* ${PATTERN} OR subject ~* ${PATTERN} OR params::text ~* ${PATTERN}`,
  ({ organisationId, within, everywhere }) => [organisationId, within, everywhere],
);

/** A mail server may name the person in the refusal of another recipient's mail. */
const RECIPIENT_TEXTS = textsOf(
  'notification_recipients',
  `message = left(forget_in_text(message, $3), 255), full_name = left(forget_in_text(full_name, $3), 511)`,
  'message ~* $3 OR full_name ~* $3',
  ({ everywhere }) => [everywhere],
);

/** Looks for a person in the texts of rows by their ids ($1 to $2); the values of the person follow. */
function textsOf(
  table: string,
  forgotten: string,
  naming: string,
  valuesOf: (person: Person) => readonly unknown[],
): Texts {
  const rows = `id BETWEEN $1 AND $2 AND (${naming})`;
  const numberOf = async (manager: EntityManager, query: string, values: readonly unknown[] = []) =>
    Number((await manager.query<{ number: string }[]>(query, [...values]))[0]?.number);
  return {
    last: (manager) => numberOf(manager, `SELECT coalesce(max(id), 0) AS number FROM ${table}`),
    forget: (manager, person, from, to) =>
      touchedBy(manager, `UPDATE ${table} SET ${forgotten} WHERE ${rows}`, [from, to, ...valuesOf(person)]),
    count: (manager, person, from, to) =>
      numberOf(manager, `SELECT count(*) AS number FROM ${table} WHERE ${rows}`, [
        from,
        to,
        ...valuesOf(person),
      ]),
  };
}

@Injectable()
export class NotificationPersonalData extends PersonalData {
  readonly table = 'notifications';
  readonly part = 'notifications';
  readonly about = 'What happened that the person did, or that was about the person.';

  /** The deletion has emptied subjects that are the user. Actions of the user stay, with the user's id. */
  readonly erase = (manager: EntityManager, { id }: Person): Promise<number> =>
    touchedBy(
      manager,
      `UPDATE notifications SET entity_name = '', subject = NULL, params = '{}'
       WHERE about_user_id = $1 AND (entity_name, subject, params) IS DISTINCT FROM ('', NULL, '{}'::jsonb)`,
      [id],
    );

  override readonly texts = NOTIFICATION_TEXTS;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(STORED, [id]);
  }
}

const OF_PERSON = `(user_id = $1 OR lower(value) = ANY ($2::text[]))`;

const FORGET_RECIPIENTS = `${FORGET_RECIPIENT}
  WHERE ${OF_PERSON} AND (full_name, value, message) IS DISTINCT FROM ('', '', '')`;

@Injectable()
export class RecipientPersonalData extends PersonalData {
  readonly table = 'notification_recipients';
  readonly part = 'notificationsReceived';
  readonly about = 'Where news were sent to the person, and what became of it.';

  readonly erase = (manager: EntityManager, { id, addresses }: Person): Promise<number> =>
    touchedBy(manager, FORGET_RECIPIENTS, [id, addresses]);

  override readonly texts = RECIPIENT_TEXTS;

  stored(manager: EntityManager, { id, addresses }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT notification_id AS "notificationId", created_at AS "createdAt", type, value, full_name AS "fullName",
         language, status, message
       FROM notification_recipients WHERE ${OF_PERSON} ORDER BY id`,
      [id, addresses],
    );
  }
}
