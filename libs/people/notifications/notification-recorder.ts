import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NewsKind } from '@app/mail/address-news.types';
import { queueMail } from '@app/mail/mail-jobs';
import { mailboxOf } from '@app/people/users/mailboxes';
import { queueJob } from '@app/platform/jobs/queue-job';
import { ADD_ALARM_CONTACTS } from './contact-recipients';
import type { ExtraRecipient, NotificationGroup } from './notification.types';
import type { AnyNews, News, NewsOfUser, NotificationKind, Told } from './notification-kind';
import { NotificationKinds } from './notification-kinds';
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

/**
 * graphile-worker waits e^n seconds after try n, and six hours from the tenth try on, so 13 tries cover most
 * of a day. Older news is not worth sending.
 */
export const DELIVERY_TRIES = 13;

/** Maximum length of a stored name (the column's width). */
const MAX_NAME_LENGTH = 255;

const INSERT = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id,
    entity_name, user_id, params, about_user_id, link_templates, is_written, charged_to, counts_as, is_expanded)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, false) RETURNING id`;

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

/** What a user posted about the own organisation. It has no record: its words are its own. */
export interface WrittenNotification {
  readonly organisation: { readonly id: number; readonly name: string };
  readonly userId: number | null;
  readonly group: NotificationGroup;
  /** At most 255 characters. */
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** News of any kind, with what its kind asks for. */
type GivenNews = AnyNews &
  Partial<NewsOfUser> & {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly isWarning?: boolean;
    readonly extraRecipients?: readonly ExtraRecipient[];
  };

/** Writes notifications. Their recipients are written by a job, as far as their event did not. */
@Injectable()
export class NotificationRecorder {
  constructor(private readonly kinds: NotificationKinds) {}

  /**
   * Writes the service's own news in the transaction of their event, so that either both are stored or
   * neither. The recipients of news of System are written too, before anybody can take their contacts away.
   * The mail to the user of a security event does not wait for the job.
   */
  async record<const Kind extends NotificationKind>(
    manager: EntityManager,
    kind: Kind,
    news: News<Kind>,
  ): Promise<void> {
    this.kinds.assertDeclared(kind);
    const { organisationId, entity, userId, params = {}, ...given }: GivenNews = news;
    const id = await insert(manager, {
      organisationId,
      kind,
      entity,
      userId,
      params,
      aboutUserId: given.aboutUserId,
      linkTemplates: given.linkTemplates,
      chargedTo: given.chargedTo,
      countsAs: newsKindOf(kind, news),
    });
    for (const extra of [...(await ownRecipient(manager, kind, news)), ...(given.extraRecipients ?? [])]) {
      await this.addExtra(manager, id, kind, news, extra);
    }
    if (kind.group === 'System') await manager.query(ADD_ALARM_CONTACTS, [id]);
    await queueExpansion(manager, {
      notificationId: id,
      everyContact: kind.tells.includes('allContacts'),
      roles: kind.toRoles ?? null,
    });
  }

  /** Writes what a user posted, for the contacts of all users. Returns its id. */
  async post(
    manager: EntityManager,
    { organisation, userId, group, type, params }: WrittenNotification,
  ): Promise<number> {
    const id = await insert(manager, {
      organisationId: organisation.id,
      kind: { group, type, entityClass: 'Organisation' },
      entity: organisation,
      userId,
      params,
      isWritten: true,
    });
    await queueExpansion(manager, { notificationId: id, everyContact: true, roles: null });
    return id;
  }

  private async addExtra(
    manager: EntityManager,
    id: number,
    { urgency }: NotificationKind,
    { organisationId, chargedTo = organisationId, aboutUserId }: GivenNews,
    { kind, fullName, language, value, isBare = false }: ExtraRecipient,
  ): Promise<void> {
    const values = [id, kind, aboutUserId ?? null, fullName, language, value, organisationId, isBare];
    const [added] = await manager.query<{ id: number }[]>(INSERT_EXTRA, values);
    if (added === undefined || kind !== 'own') return;
    const released = await releaseRecipients(manager, chargedTo, [added.id]);
    if (released.length === 0) return;
    await queueMail(
      manager,
      { source: 'recipient', id: added.id },
      { priority: urgency === 'canWait' ? 'bulk' : 'urgent', tries: DELIVERY_TRIES },
    );
  }
}

/** A row of the notifications. */
interface NewRow extends Pick<GivenNews, 'organisationId' | 'entity' | 'userId' | 'aboutUserId'> {
  readonly kind: Pick<NotificationKind, 'group' | 'type' | 'entityClass'>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly linkTemplates?: readonly string[] | undefined;
  readonly isWritten?: boolean;
  readonly chargedTo?: number | undefined;
  readonly countsAs?: NewsKind | null;
}

async function insert(
  manager: EntityManager,
  { organisationId, kind, entity, userId, params, ...row }: NewRow,
): Promise<number> {
  const [inserted] = await manager.query<[{ id: number }]>(INSERT, [
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
    row.chargedTo ?? null,
    row.countsAs ?? null,
  ]);
  return inserted.id;
}

const queueExpansion = (manager: EntityManager, payload: ExpansionJob): Promise<void> =>
  queueJob(manager, { task: EXPAND_NOTIFICATION, payload, priority: 'bulk' });

/**
 * How the mails count at their addresses (rule notifications 40, rule notifications 41). Null for what is
 * never held back: mails with the links of a manager, and what falls due by itself.
 */
function newsKindOf(
  { urgency, cause }: NotificationKind,
  { userId, aboutUserId, linkTemplates, isWarning }: GivenNews,
): NewsKind | null {
  if (linkTemplates !== undefined || cause === 'time') return null;
  if (urgency === 'warning' || isWarning === true) return 'warning';
  const isOwn = cause === 'owner' || userId === aboutUserId;
  return typeof aboutUserId === 'number' && isOwn ? 'account' : 'other';
}

/** The user whom the news are about, by the mailbox of its account. */
async function ownRecipient(
  manager: EntityManager,
  { tells }: { readonly tells: readonly Told[] },
  { aboutUserId, ownNews }: GivenNews,
): Promise<ExtraRecipient[]> {
  if (!tells.includes('user') || typeof aboutUserId !== 'number' || ownNews === 'none') return [];
  const { address, isVerified, fullName, language } = await mailboxOf(manager, aboutUserId);
  return address === undefined
    ? []
    : [{ kind: 'own', fullName, language, value: address, isBare: !isVerified }];
}
