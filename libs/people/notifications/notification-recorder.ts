import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NewsKind } from '@app/mail/address-news.types';
import { Outbox } from '@app/mail/outbox';
import { type NewsAddress, ownMailboxOf } from '@app/people/users/own-addresses';
import { queueJob } from '@app/platform/jobs/queue-job';
import { ADD_ALARM_CONTACTS } from './contact-recipients';
import type { ExtraRecipient, NotificationEvent } from './notification.types';
import { releaseRecipients } from './release-recipients';

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
}

/** The job that releases mails that wait for the hourly budget of their organisation. */
export const RELEASE_NOTIFICATIONS = 'notifications.release';

/** The job that mails a notification to one recipient. */
export const DELIVER_NOTIFICATION = 'notifications.deliver';

/**
 * graphile-worker waits e^n seconds after try n, and six hours from the tenth try on, so 13 tries cover most
 * of a day. Older news is not worth sending.
 */
export const DELIVERY_TRIES = 13;

/** Maximum length of a stored name (the column's width). */
const MAX_NAME_LENGTH = 255;

const INSERT = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id,
    entity_name, user_id, subject, params, about_user_id, link_templates, is_written, charged_to, counts_as, is_expanded)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, false) RETURNING id`;

/**
 * Adds an e-mail address besides the addresses of the contacts. If a contact has the address, it
 * is stored as that contact.
 */
const INSERT_EXTRA = `
  INSERT INTO notification_recipients (notification_id, kind, user_id, contact_id, full_name, language, type, value,
    status, hash, is_bare, queued_at)
  SELECT $1, $2::varchar, $3::integer, (
      SELECT c.id FROM contacts c
      WHERE c.type = 'email' AND c.unique_key = fold_case($6)
        AND (c.user_id = $3::integer OR (c.user_id IS NULL AND c.organisation_id = $7))
      ORDER BY c.user_id NULLS LAST LIMIT 1),
    $4, $5, 'email', $6, 'queued', gen_random_uuid(), $8, CASE WHEN $2::varchar <> 'gone' THEN now() END
  ON CONFLICT DO NOTHING RETURNING id`;

/** Writes notifications. */
@Injectable()
export class NotificationRecorder {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Writes a notification in the transaction of its event, so that either both are stored or neither. The
   * recipients of the service's own news of System are written too, before anybody can take their contacts
   * away. One job writes those of other notifications. The mail to the user of a security event does not wait
   * for this job. Returns the id of the notification.
   */
  async record(manager: EntityManager, event: NotificationEvent): Promise<number> {
    const [row] = await manager.query<{ id: number }[]>(INSERT, [
      event.organisationId,
      event.group ?? 'System',
      event.type,
      event.entity.class,
      event.entity.id,
      [...event.entity.name].slice(0, MAX_NAME_LENGTH).join(''),
      event.userId,
      event.subject ?? null,
      JSON.stringify(event.params ?? {}),
      event.aboutUserId ?? null,
      event.linkTemplates ?? null,
      event.isWritten === true,
      event.chargedTo ?? null,
      newsKindOf(event),
    ]);
    const { id } = row as { id: number };
    for (const extra of [...(await ownRecipients(manager, event)), ...(event.extraRecipients ?? [])]) {
      await this.addExtra(manager, id, event, extra);
    }
    const { group = 'System', isWritten = false } = event;
    if (group === 'System' && !isWritten) await manager.query(ADD_ALARM_CONTACTS, [id]);
    await queueJob(manager, {
      task: EXPAND_NOTIFICATION,
      payload: {
        notificationId: id,
        everyContact: event.everyContact === true,
        roles: event.toRoles ?? null,
      } satisfies ExpansionJob,
      priority: 'bulk',
    });
    return id;
  }

  private async addExtra(
    manager: EntityManager,
    id: number,
    { organisationId, chargedTo = organisationId, aboutUserId, canWait, ownMail }: NotificationEvent,
    { kind, fullName, language, value, isProved, getsLinks }: ExtraRecipient & Partial<OwnRecipient>,
  ): Promise<void> {
    const isBare = isProved === false;
    const values = [id, kind, aboutUserId ?? null, fullName, language, value, organisationId, isBare];
    const [added] = await manager.query<{ id: number }[]>(INSERT_EXTRA, values);
    if (added === undefined || kind !== 'own') return;
    if (ownMail !== undefined && getsLinks === true) {
      const settles = { kind: 'recipient', id: added.id } as const;
      await this.outbox.queue(manager, { ...ownMail(value, language), settles });
      return;
    }
    const released = await releaseRecipients(manager, chargedTo, [added.id]);
    if (released.length === 0) return;
    await queueJob(manager, {
      task: DELIVER_NOTIFICATION,
      payload: { recipientId: added.id },
      priority: canWait === true ? 'bulk' : 'urgent',
      tries: DELIVERY_TRIES,
    });
  }
}

/**
 * How the mails count at their addresses (rule notifications 40, rule notifications 41). Null for what is
 * never held back: what programs and managers write, and what falls due by itself.
 */
function newsKindOf({
  userId,
  aboutUserId,
  isWritten,
  linkTemplates,
  cause,
  isWarning,
}: NotificationEvent): NewsKind | null {
  if (isWritten === true || linkTemplates !== undefined || cause === 'time') return null;
  if (isWarning === true) return 'warning';
  const isOwn = cause === 'owner' || userId === aboutUserId;
  return typeof aboutUserId === 'number' && isOwn ? 'account' : 'other';
}

/** An address of the user's own account. */
interface OwnRecipient extends ExtraRecipient, NewsAddress {}

/** The user of a security event, by the addresses of its account. */
async function ownRecipients(
  manager: EntityManager,
  { group = 'System', aboutUserId, ownNews = 'all' }: NotificationEvent,
): Promise<OwnRecipient[]> {
  if (group !== 'System' || aboutUserId === undefined || aboutUserId === null || ownNews === 'none')
    return [];
  const mailbox = await ownMailboxOf(manager, aboutUserId);
  if (mailbox === undefined) return [];
  const { fullName, language, addresses } = mailbox;
  return addresses
    .filter(({ isProved }) => isProved || ownNews === 'all')
    .map((address) => ({ kind: 'own', fullName, language, ...address }));
}
