import { erasedBy, type Person, type PersonalData, storedBy } from '@app/lifecycle/personal-data';
import type { TableRules } from '@app/lifecycle/table-rules';
import { JOBS_OF_STORED_MAILS } from '@app/mail/mail-jobs';
import { NOTIFICATION_CONSTRAINT_ERRORS, recipientContext } from './notification.types';
import { FORGET_RECIPIENT, NotificationDeletions } from './notification-deletions';

const BATCH = 1000;

// All tries end within three days, so the last one was killed before it stored the outcome. The mail of an
// invitation may wait longer for its turn: see below.
const INTERRUPTED = `
  UPDATE notification_recipients SET status = 'failed', message = 'The delivery was interrupted.', encrypted = NULL
  WHERE status = 'queued' AND queued_at < now() - interval '3 days' AND kind <> 'invited'`;

// If a recipient still waits but its job has no tries left, the job was killed at its last try. A
// locked job is still running.
const KILLED = `
  UPDATE notification_recipients r SET status = 'failed', message = 'The delivery was interrupted.'
  FROM notifications n, mails m, ${JOBS_OF_STORED_MAILS} j
  WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL AND m.id = j.mail_id
    AND m.outcome_of = 'invitation' AND n.entity_class = 'Invitation' AND n.entity_id = m.outcome_of_id
    AND n.id = r.notification_id AND r.kind = 'invited' AND r.status = 'queued'`;

/**
 * Ids grow with time, so it suffices to look at the oldest rows. The foreign key deletes their recipients.
 */
const past = (retention: number): string => `
  WITH deleted AS (
    DELETE FROM notifications WHERE id IN (
      SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ${BATCH}) oldest
      WHERE created_at < now() - make_interval(secs => ${retention}))
    RETURNING id
  ) SELECT count(*) = ${BATCH} AS more FROM deleted`;

const DELIVERED = `
  SELECT n.id, n.status, CASE
    WHEN NOT n.is_expanded OR bool_or(r.status = 'queued') THEN 0
    WHEN NOT coalesce(bool_or(r.status = 'failed' OR (r.status = 'skipped' AND r.message <> '')), false) THEN 1
    WHEN bool_or(r.status = 'sent') THEN 3
    ELSE 2 END AS followed
  FROM notifications n LEFT JOIN notification_recipients r ON r.notification_id = n.id GROUP BY n.id`;

/** Skips waiting deliveries to deleted users and in deleted organisations. */
export const NOTIFICATION_RULES: TableRules = {
  table: 'notifications',
  personalTexts: 'entity_name subject params',
  otherTexts: 'notification_group type entity_class link_templates',
  constraintErrors: NOTIFICATION_CONSTRAINT_ERRORS,
  withOrganisation: 'history, which nobody reads any more: every route asks for the organisation',
  checks: [
    {
      name: 'notification states',
      finds: 'notifications whose state is not that of their deliveries',
      wrong: `SELECT 'notification ' || id AS example FROM (${DELIVERED}) d WHERE status <> followed`,
      repair: [`SELECT count(settle_notification(id)) FROM (${DELIVERED}) d WHERE status <> followed`],
    },
  ],
  cleanUp: ({ notifications }) => [
    INTERRUPTED,
    KILLED,
    ...(notifications === undefined ? [] : [past(notifications)]),
  ],
  handler: NotificationDeletions,
};

/**
 * Texts stand in notifications about the person alone: those of others, whom the person invited or changed,
 * are theirs.
 */
const STORED = `
  SELECT id, organisation_id AS "organisationId", created_at AS "createdAt", notification_group AS "group", type,
    entity_class AS "entityClass", entity_id AS "entityId", CASE WHEN is_about THEN entity_name END AS "entityName",
    CASE WHEN is_about THEN subject END AS subject, CASE WHEN is_about THEN params END AS params,
    user_id IS NOT DISTINCT FROM $1 AS "causedByPerson", is_about AS "aboutPerson"
  FROM (
    SELECT n.*, n.about_user_id IS NOT DISTINCT FROM $1
        OR coalesce(n.entity_class = 'Invitation' AND n.entity_id = ANY ($2::integer[]), false) AS is_about
    FROM notifications n WHERE n.user_id = $1 OR n.about_user_id = $1
      OR (n.entity_class = 'Invitation' AND n.entity_id = ANY ($2::integer[]))
  ) known ORDER BY id`;

/**
 * The deletion has cleared notifications about the user. Notifications of the user's acts
 * remain, with the user's id.
 */
const EMPTY_SUBJECTS = `UPDATE notifications SET entity_name = '', subject = NULL, params = '{}'
  WHERE (about_user_id = $1 OR (entity_class = 'Invitation' AND entity_id = ANY ($2::integer[])))
    AND (entity_name, subject, params) IS DISTINCT FROM ('', NULL, '{}'::jsonb)`;

export const NOTIFICATION_PERSONAL_DATA: PersonalData = {
  table: 'notifications',
  part: 'notifications',
  about:
    'What happened that the person did, or that was about the person. Texts stand with what was about the person.',
  stored: storedBy(STORED, ({ id, invitationIds }) => [id, invitationIds]),
  erase: erasedBy(EMPTY_SUBJECTS, ({ id, invitationIds }) => [id, invitationIds]),
};

const OF_PERSON = `(user_id = $1 OR (kind = 'invited' AND notification_id IN (
    SELECT id FROM notifications WHERE entity_class = 'Invitation' AND entity_id = ANY ($2::integer[]))))`;

const personValues = ({ id, invitationIds }: Person): readonly unknown[] => [id, invitationIds];

const FORGET_RECIPIENTS = `${FORGET_RECIPIENT}
  WHERE ${OF_PERSON} AND ((full_name, value, message) IS DISTINCT FROM ('', '', '') OR encrypted IS NOT NULL)`;

export const RECIPIENT_PERSONAL_DATA: TableRules & PersonalData = {
  table: 'notification_recipients',
  personalTexts: 'full_name value message encrypted',
  otherTexts: 'language type status kind',
  encrypted: [
    {
      name: 'waitingNotifications',
      kind: 'address of a deleted user',
      example: 'recipient',
      encrypted: 'encrypted',
      id: 'id',
      contextOf: recipientContext,
    },
  ],
  part: 'notificationsReceived',
  about: 'Where notifications were sent to the person, and what became of it.',
  stored: storedBy(
    `SELECT notification_id AS "notificationId", created_at AS "createdAt", type, value, full_name AS "fullName",
         language, status, message
       FROM notification_recipients WHERE ${OF_PERSON} ORDER BY id`,
    personValues,
  ),
  erase: erasedBy(FORGET_RECIPIENTS, personValues),
};
