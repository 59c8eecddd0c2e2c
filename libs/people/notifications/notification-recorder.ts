import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { releaseSoon } from '@app/mail/mail-jobs';
import { mailboxOf } from '@app/people/users/mailboxes';
import { type NewJob, queueJob } from '@app/platform/jobs/queue-job';
import { ADD_ALARM_CONTACTS } from './contact-recipients';
import type { ExtraRecipient, NotificationGroup } from './notification.types';
import type { NotificationInput, NotificationKind } from './notification-kind';
import { NotificationKinds } from './notification-kinds';

/**
 * The job that writes the recipients of a notification, as far as its event did not,
 * and releases their mails.
 */
export const EXPAND_NOTIFICATION = 'notifications.expand';

/** Payload of the job. */
export interface ExpansionJob {
  readonly notificationId: number;
  readonly everyContact: boolean;
  /** Roles of the users to notify; null for users with any role. */
  readonly roles: readonly string[] | null;
  /** What people wrote is mailed to every contact in their words. */
  readonly keepsWords?: boolean;
  /** The recipients of the users up to this one are written. */
  readonly afterUserId?: number;
}

/**
 * graphile-worker waits e^n seconds after try n, and six hours from the tenth try on, so 13 tries cover most
 * of a day. Older ones are not worth sending.
 */
export const DELIVERY_TRIES = 13;

/** Maximum length of a stored name (the column's width). */
const MAX_NAME_LENGTH = 255;

const INSERT = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id,
    entity_name, user_id, params, about_user_id, link_templates, is_written, customer_id, is_expanded)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
    coalesce((SELECT customer_id FROM organisations WHERE id = $12), acting_customer($1)), false)
  RETURNING id, customer_id AS "customerId"`;

/**
 * Adds an e-mail address besides the addresses of the contacts. If a contact has the address, it
 * is stored as that contact.
 */
const INSERT_EXTRA = `
  INSERT INTO notification_recipients (notification_id, kind, user_id, contact_id, full_name, language, type, value,
    status, hash, is_redacted, queued_at)
  SELECT $1, $2::varchar, $3::integer, (
      SELECT c.id FROM contacts c
      WHERE c.type = 'email' AND c.unique_key = fold_case($6)
        AND (c.user_id = $3::integer OR (c.user_id IS NULL AND c.organisation_id = $7))
      ORDER BY c.user_id NULLS LAST LIMIT 1),
    $4, $5, 'email', $6, 'queued', gen_random_uuid(), $8, CASE WHEN $2::varchar = 'invited' THEN now() END
  ON CONFLICT DO NOTHING`;

/** What a user posted about the own organisation. It has no record: its words are its own. */
export interface WrittenNotification {
  readonly organisation: { readonly id: number; readonly name: string };
  readonly userId: number | null;
  readonly group: NotificationGroup;
  /** At most 255 characters. */
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Every contact is mailed its words; otherwise only the verified user names of the organisation are. */
  readonly keepsWords: boolean;
}

/** Writes notifications. Their recipients are written by a job, as far as their event did not. */
@Injectable()
export class NotificationRecorder {
  constructor(private readonly kinds: NotificationKinds) {}

  /**
   * Writes the service's own notifications in the transaction of their event, so that either both are stored
   * or neither. The recipients of notifications of System are written too, before anybody can take their
   * contacts away. The mail to the user of a security event does not wait for the job.
   */
  async record(manager: EntityManager, kind: NotificationKind, input: NotificationInput): Promise<void> {
    this.kinds.assertFits(kind, input);
    const { organisationId, entity, userId, params = {}, ...given } = input;
    const { id, customerId } = await insert(manager, {
      organisationId,
      kind,
      entity,
      userId,
      params,
      aboutUserId: given.aboutUserId,
      linkTemplates: given.linkTemplates,
      causedBy: given.causedBy,
    });
    const own = await ownRecipient(manager, kind, input);
    for (const extra of [...own, ...(given.extraRecipients ?? [])]) await addExtra(manager, id, input, extra);
    if (kind.group === 'System') await manager.query(ADD_ALARM_CONTACTS, [id, given.heardBefore ?? null]);
    if (own.length > 0 && kind.urgency === 'prompt') await releaseSoon(manager, customerId, 'urgent');
    const everyContact = kind.recipients.includes('allContacts');
    const expansion = { notificationId: id, everyContact, roles: kind.toRoles ?? null };
    // Before posts: one to thousands of contacts takes seconds, and a customer writes thousands of them.
    await queueExpansion(manager, expansion, { priority: 'event' });
  }

  /** Writes what a user posted, for the contacts of all users. Returns its id. */
  async post(
    manager: EntityManager,
    { organisation, userId, group, type, params, keepsWords }: WrittenNotification,
  ): Promise<number> {
    const { id } = await insert(manager, {
      organisationId: organisation.id,
      kind: { group, type, entityClass: 'Organisation' },
      entity: organisation,
      userId,
      params,
      isWritten: true,
    });
    const expansion = { notificationId: id, everyContact: true, roles: null, keepsWords };
    await queueExpansion(manager, expansion, { priority: 'bulk' });
    return id;
  }
}

async function addExtra(
  manager: EntityManager,
  id: number,
  { organisationId, aboutUserId }: NotificationInput,
  { kind, fullName, language, value, isRedacted = false }: ExtraRecipient,
): Promise<void> {
  const values = [id, kind, aboutUserId ?? null, fullName, language, value, organisationId, isRedacted];
  await manager.query(INSERT_EXTRA, values);
}

/** A row of the notifications. */
interface NewRow extends Pick<NotificationInput, 'organisationId' | 'entity' | 'userId' | 'aboutUserId'> {
  readonly kind: Pick<NotificationKind, 'group' | 'type' | 'entityClass'>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly linkTemplates?: readonly string[] | undefined;
  readonly isWritten?: boolean;
  readonly causedBy?: number | undefined;
}

async function insert(
  manager: EntityManager,
  { organisationId, kind, entity, userId, params, ...row }: NewRow,
): Promise<{ readonly id: number; readonly customerId: number }> {
  const [inserted] = await manager.query<[{ id: number; customerId: number }]>(INSERT, [
    organisationId,
    kind.group,
    kind.type,
    kind.entityClass,
    entity.id,
    [...entity.name].slice(0, MAX_NAME_LENGTH).join(''),
    userId,
    JSON.stringify(params),
    row.aboutUserId ?? null,
    row.linkTemplates ?? null,
    row.isWritten === true,
    row.causedBy ?? null,
  ]);
  return inserted;
}

/** A notification has one such job: the next replaces the one that runs. */
export const queueExpansion = (
  manager: EntityManager,
  payload: ExpansionJob,
  job: Pick<NewJob, 'priority' | 'runAt'>,
): Promise<void> =>
  queueJob(manager, {
    task: EXPAND_NOTIFICATION,
    payload,
    key: `${EXPAND_NOTIFICATION}:${payload.notificationId}`,
    ...job,
  });

/** The user whom the notification is about, by the mailbox of its account. */
async function ownRecipient(
  manager: EntityManager,
  { recipients }: NotificationKind,
  { aboutUserId, ownNotification }: NotificationInput,
): Promise<ExtraRecipient[]> {
  if (!recipients.includes('user') || typeof aboutUserId !== 'number' || ownNotification === 'none')
    return [];
  const { address, isVerified, fullName, language } = await mailboxOf(manager, aboutUserId);
  return address === undefined
    ? []
    : [{ kind: 'own', fullName, language, value: address, isRedacted: !isVerified }];
}
