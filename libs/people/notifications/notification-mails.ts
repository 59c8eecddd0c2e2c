import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { withBrand } from '@app/mail/brands';
import { isForeign } from '@app/mail/foreign-addresses';
import type { MailContent } from '@app/mail/mail.types';
import { MailBrands } from '@app/mail/mail-brands';
import {
  type MailCounts,
  MailSource,
  type MailWithVerdict,
  type ReadyMail,
  type UnreleasedMail,
  type WaitingMail,
} from '@app/mail/mail-source';
import { linkFrom } from '@app/mail/mail-values';
import type { Sender } from '@app/mail/sender';
import type { WorkContext } from '@app/platform/context/work-context';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { isAlarm } from './contact-recipients';
import { type NotificationGroup, recipientContext, type RecipientKind } from './notification.types';
import { type DescribedKind, NotificationKinds } from './notification-kinds';
import { type DeliveredNotification, notificationMail } from './notification-mail';
import { NotificationRecipients } from './notification-recipients';
import { DELIVERY_TRIES } from './notification-recorder';
import { namesOperator } from './notification-text';

/** The subject of a notification. */
export interface NotificationSubject {
  readonly entityClass: string;
  readonly entityId: number;
}

/**
 * Makes the hashes of links in mails (`linkTemplates` of the notification). The records that links open are
 * of a domain above this one, whose module binds it.
 */
export abstract class NotificationLinks {
  /**
   * A hash that lets the contact open the subject. Undefined if either is deleted, or the
   * contact must not open it.
   */
  abstract newHash(
    ctx: WorkContext,
    subject: NotificationSubject,
    contactId: number,
  ): Promise<string | undefined>;
}

/** A waiting delivery with the content of its mail. */
interface Delivery
  extends Omit<DeliveredNotification, 'kind' | 'otherParams' | 'links'>, NotificationSubject {
  readonly group: NotificationGroup;
  readonly type: string;
  readonly to: string;
  readonly encrypted: string | null;
  readonly hash: string;
  readonly contactId: number | null;
  readonly linkTemplates: readonly string[] | null;
  /** The contact still exists, and its user, if it has one, can log in. An alarm is wanted anyway. */
  readonly isWanted: boolean;
  readonly organisationId: number;
  readonly brandVersion: number;
}

/**
 * The full name of the user of the organisation whose verified name the address is: one user has one
 * greeting.
 */
const USER_OF_ADDRESS = `(SELECT u.first_name || ' ' || u.last_name FROM users u
      WHERE fold_case(u.username) = fold_case(r.value) AND u.deleted_at IS NULL AND u.username_verified
        AND u.organisation_id = n.organisation_id)`;

/** The delivery to the recipient $1, if it still waits. */
const WAITING_DELIVERY = prepared(`
  SELECT r.value AS "to", r.encrypted, r.kind AS "recipientKind",
    coalesce(CASE r.kind WHEN 'own' THEN r.full_name ELSE ${USER_OF_ADDRESS} END, '') AS "recipientName", r.language, r.hash,
    o.name AS organisation, n.notification_group AS "group", n.type, n.created_at AS at,
    n.entity_class AS "entityClass", n.entity_name AS "entityName", n.subject, n.params, n.is_written AS "isWritten",
    n.entity_id AS "entityId", n.link_templates AS "linkTemplates", r.contact_id AS "contactId",
    actor.first_name || ' ' || actor.last_name AS actor, coalesce(n.user_id = n.about_user_id, n.user_id IS NULL) AS "isOwnAct",
    owner.first_name || ' ' || owner.last_name AS owner,
    o.deleted_at IS NULL AND (${isAlarm('n')} OR r.contact_id IS NULL OR r.kind <> 'contact' OR EXISTS (
      SELECT 1 FROM contacts c LEFT JOIN users u ON u.id = c.user_id
      WHERE c.id = r.contact_id AND (c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL)))) AS "isWanted",
    r.is_redacted AS "isRedacted", n.organisation_id AS "organisationId", brand_version() AS "brandVersion"
  FROM notification_recipients r
  JOIN notifications n ON n.id = r.notification_id
  JOIN organisations o ON o.id = n.organisation_id
  LEFT JOIN users actor ON actor.id = n.user_id AND actor.deleted_at IS NULL
  LEFT JOIN users owner ON owner.id = n.about_user_id AND owner.deleted_at IS NULL
  WHERE r.id = $1 AND r.status = 'queued'`);

/**
 * Recipients whose mails wait in the line of the customer $1: event notifications, then posts and documents,
 * by age.
 */
const UNRELEASED = `/* notification_recipients.unreleased */
  SELECT r.id, r.value, r.encrypted, r.kind, r.user_id AS "userId", r.is_redacted AS "isRedacted", n.organisation_id AS "organisationId",
    n.entity_class AS "entityClass", n.type, n.notification_group AS "group", n.is_written AS "isWritten",
    n.link_templates IS NOT NULL AS "isDocument", ${isForeign('r.value', '$1::integer')} AS "isForeign"
  FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE n.customer_id = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL
    AND (r.waits_until IS NULL OR r.waits_until <= now())
  ORDER BY (n.is_written OR n.link_templates IS NOT NULL), n.id, r.id LIMIT $2 FOR UPDATE OF r SKIP LOCKED`;

interface UnreleasedRow {
  readonly id: number;
  readonly value: string;
  readonly encrypted: string | null;
  readonly kind: RecipientKind;
  readonly userId: number | null;
  readonly isRedacted: boolean;
  readonly organisationId: number;
  readonly entityClass: string;
  readonly type: string;
  readonly group: NotificationGroup;
  readonly isWritten: boolean;
  readonly isDocument: boolean;
  readonly isForeign: boolean;
}

const STORE_VERDICTS = `
  UPDATE notification_recipients r SET
    queued_at = CASE verdict.outcome WHEN 'leaves' THEN now() END,
    waits_until = now() + make_interval(secs => verdict.seconds),
    status = CASE verdict.outcome WHEN 'skipped' THEN 'skipped' ELSE r.status END,
    message = coalesce(verdict.message, r.message),
    encrypted = CASE WHEN verdict.outcome <> 'skipped' THEN r.encrypted END
  FROM unnest($1::integer[], $2::text[], $3::integer[], $4::text[]) verdict (id, outcome, seconds, message)
  WHERE r.id = verdict.id`;

const NEXT_TIME = `
  SELECT min(r.waits_until) AS time FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE n.customer_id = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL AND r.waits_until > now()`;

/**
 * Notifications of a contact whose address got them until then: the mail to that address counts for no kind.
 */
const ENDS_FOR_ADDRESS: ReadonlySet<string> = new Set(['removed', 'changed', 'security_news_off']);

/** How a mail counts in an hour. */
function countsOf(row: UnreleasedRow, { cause }: DescribedKind): MailCounts {
  if (row.isWritten) return { as: 'post', isRedacted: row.isRedacted };
  // Admins send documents, and time sends the others.
  if (row.isDocument || cause === 'time') return { as: 'free' };
  const isLastToAddress = row.kind === 'removed' && ENDS_FOR_ADDRESS.has(row.type);
  return {
    as: 'notification',
    isForeign: row.isForeign,
    ...(!isLastToAddress && { kind: `${row.entityClass}.${row.type}` }),
    ...(row.kind === 'own' && row.userId !== null && { userId: row.userId }),
  };
}

/** In whose name a mail is written, and who the operator is. */
interface Senders {
  readonly sender: Sender;
  readonly operator: Sender;
}

/** The mails of notifications, one for each recipient, which waits and is released as its row. */
@Injectable()
export class NotificationMails extends MailSource {
  readonly name = 'recipient';

  constructor(
    private readonly queries: DatabaseReads,
    private readonly recipients: NotificationRecipients,
    private readonly kinds: NotificationKinds,
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly links: NotificationLinks,
    private readonly keyring: SecretsKeyring,
    private readonly brands: MailBrands,
  ) {
    super();
  }

  async unreleased(manager: EntityManager, customerId: number, most: number): Promise<UnreleasedMail[]> {
    const rows = await manager.query<UnreleasedRow[]>(UNRELEASED, [customerId, most]);
    return rows.map((row) => {
      const kind = this.kinds.of(row);
      const isUrgent = row.kind === 'own' && kind.urgency !== 'canWait';
      return {
        id: row.id,
        address: this.addressOf(row) ?? '',
        organisationId: row.organisationId,
        counts: countsOf(row, kind),
        job: { priority: isUrgent ? 'urgent' : 'bulk', tries: DELIVERY_TRIES },
      };
    });
  }

  async storeVerdicts(manager: EntityManager, mails: readonly MailWithVerdict[]): Promise<void> {
    await manager.query(STORE_VERDICTS, [
      mails.map(({ id }) => id),
      mails.map(({ outcome }) => outcome),
      mails.map((mail) => (mail.outcome === 'waits' ? mail.seconds : null)),
      mails.map((mail) => (mail.outcome === 'skipped' ? mail.message : null)),
    ]);
  }

  async nextTime(manager: EntityManager, customerId: number): Promise<Date | undefined> {
    const [row] = await manager.query<{ time: Date | null }[]>(NEXT_TIME, [customerId]);
    return row?.time ?? undefined;
  }

  async find(id: number): Promise<WaitingMail | undefined> {
    const delivery = await this.queries.row<Delivery>(WAITING_DELIVERY, [id]);
    if (delivery === undefined) return undefined;
    const { organisationId, brandVersion } = delivery;
    return {
      organisationId,
      brandVersion,
      write: async (ctx, brand) => {
        // Few kinds name the operator: the others spare the read of its brand.
        const ofOperator = namesOperator(this.kinds.of(delivery))
          ? await this.brands.of({ organisationId: null, brandVersion })
          : undefined;
        return this.write(ctx, this.opened(id, delivery), {
          sender: withBrand(this.settings, brand),
          operator: withBrand(this.settings, ofOperator),
        });
      },
      // One statement: a transaction around it would cost three more for each mail.
      recordOutcome: (_ctx, outcome) =>
        this.recipients.recordOutcome(this.dataSource.manager, { kind: 'recipient', id }, outcome),
    };
  }

  private opened(id: number, delivery: Delivery): Delivery {
    const { encrypted, to } = delivery;
    return {
      ...delivery,
      to: encrypted === null ? to : this.keyring.decrypt(encrypted, recipientContext(id)),
    };
  }

  /** Undefined for an address that the present keys do not open: its mail fails when it is written. */
  private addressOf({ id, value, encrypted }: UnreleasedRow): string | undefined {
    if (encrypted === null) return value;
    try {
      return this.keyring.decrypt(encrypted, recipientContext(id));
    } catch {
      return undefined;
    }
  }

  /** Undefined if the mail has no recipient any more, or its links have nothing left to open. */
  private async write(
    ctx: WorkContext,
    delivery: Delivery,
    senders: Senders,
  ): Promise<ReadyMail | undefined> {
    const { to, language, hash: id, linkTemplates, contactId } = delivery;
    if (!delivery.isWanted) return undefined;
    if (linkTemplates === null) return { to, language, id, content: this.contentOf(delivery, senders) };
    if (contactId === null) return undefined;
    const hash = await this.links.newHash(ctx, delivery, contactId);
    if (hash === undefined) return undefined;
    const links = linkTemplates.map((template) => linkFrom(template, { contactId, hash }));
    return { to, language, id, content: this.contentOf(delivery, senders, links) };
  }

  private contentOf(
    { linkTemplates, organisationId, brandVersion, ...delivered }: Delivery,
    { sender, operator }: Senders,
    links: readonly string[] = [],
  ): MailContent {
    const { kinds } = this;
    return notificationMail(
      { ...delivered, kind: kinds.of(delivered), otherParams: kinds.params, links },
      sender,
      operator,
    );
  }
}
