import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { withBrand } from '@app/mail/brands';
import type { MailContent } from '@app/mail/mail.types';
import type { MailPot } from '@app/mail/mail-budget';
import { queueMails } from '@app/mail/mail-jobs';
import { MailSource, type ReadyMail, type ReleasedMails, type WaitingMail } from '@app/mail/mail-source';
import { linkFrom } from '@app/mail/mail-values';
import type { Sender } from '@app/mail/sender';
import type { WorkContext } from '@app/platform/context/work-context';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { isAlarm, MAIL_POT } from './contact-recipients';
import type { NotificationGroup } from './notification.types';
import { NotificationKinds } from './notification-kinds';
import { notificationMail, type ToldNotification } from './notification-mail';
import { NotificationRecipients } from './notification-recipients';
import { DELIVERY_TRIES } from './notification-recorder';
import { releaseRecipients, skipBeyondHour } from './release-recipients';

/** The subject of a notification. */
export interface NotificationSubject {
  readonly entityClass: string;
  readonly entityId: number;
}

/**
 * Makes the hashes of links in mails (`linkTemplates` of the news). The records that links open are of a
 * domain above this one, whose module binds it.
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
interface Delivery extends Omit<ToldNotification, 'kind' | 'otherParams' | 'links'>, NotificationSubject {
  readonly group: NotificationGroup;
  readonly type: string;
  readonly to: string;
  readonly hash: string;
  readonly contactId: number | null;
  readonly linkTemplates: readonly string[] | null;
  /** The contact still exists, and its user, if it has one, can log in. An alarm is wanted anyway. */
  readonly isWanted: boolean;
  readonly organisationId: number;
  readonly brandVersion: number;
}

/** The delivery to the recipient $1, if it still waits. */
const WAITING_DELIVERY = prepared(`
  SELECT r.value AS "to", r.kind AS "recipientKind", r.full_name AS "recipientName", r.language, r.hash,
    o.name AS organisation, n.notification_group AS "group", n.type, n.created_at AS at,
    n.entity_class AS "entityClass", n.entity_name AS "entityName", n.subject, n.params, n.is_written AS "isWritten",
    r.ends_news AS ends, n.entity_id AS "entityId", n.link_templates AS "linkTemplates", r.contact_id AS "contactId",
    actor.first_name || ' ' || actor.last_name AS actor, coalesce(n.user_id = n.about_user_id, n.user_id IS NULL) AS "isOwnAct",
    owner.first_name || ' ' || owner.last_name AS owner,
    o.deleted_at IS NULL AND (${isAlarm('n')} OR r.contact_id IS NULL OR r.kind <> 'contact' OR EXISTS (
      SELECT 1 FROM contacts c LEFT JOIN users u ON u.id = c.user_id
      WHERE c.id = r.contact_id AND (c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL)))) AS "isWanted",
    r.is_bare AS "isBare", n.organisation_id AS "organisationId", brand_version() AS "brandVersion"
  FROM notification_recipients r
  JOIN notifications n ON n.id = r.notification_id
  JOIN organisations o ON o.id = n.organisation_id
  LEFT JOIN users actor ON actor.id = n.user_id AND actor.deleted_at IS NULL
  LEFT JOIN users owner ON owner.id = n.about_user_id AND owner.deleted_at IS NULL
  WHERE r.id = $1 AND r.status = 'queued'`);

/** Recipients whose mails wait for the pot $2 of the organisation $1, oldest first. */
const HELD = `
  SELECT r.id FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
  WHERE coalesce(n.charged_to, n.organisation_id) = $1 AND n.status = 0 AND r.status = 'queued' AND r.queued_at IS NULL
    AND ${MAIL_POT} = $2
  ORDER BY r.id LIMIT $3 FOR UPDATE OF r SKIP LOCKED`;

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
  ) {
    super();
  }

  async held(manager: EntityManager, organisationId: number, pot: MailPot, most: number): Promise<number[]> {
    const held = await manager.query<{ id: number }[]>(HELD, [organisationId, pot, most]);
    return held.map(({ id }) => id);
  }

  async release(
    manager: EntityManager,
    organisationId: number,
    ids: readonly number[],
  ): Promise<ReleasedMails> {
    const released = await releaseRecipients(manager, organisationId, ids);
    await queueMails(manager, this.name, released, { priority: 'bulk', tries: DELIVERY_TRIES });
    return { queued: released.length, held: 0 };
  }

  override skipBeyondHour(
    manager: EntityManager,
    organisationId: number,
    ids: readonly number[],
  ): Promise<number> {
    return skipBeyondHour(manager, organisationId, ids);
  }

  async find(id: number): Promise<WaitingMail | undefined> {
    const delivery = await this.queries.row<Delivery>(WAITING_DELIVERY, [id]);
    return (
      delivery && {
        organisationId: delivery.organisationId,
        brandVersion: delivery.brandVersion,
        write: (ctx, brand) => this.write(ctx, delivery, withBrand(this.settings, brand)),
        // One statement: a transaction around it would cost three more for each mail.
        settle: (_ctx, outcome) =>
          this.recipients.settle(this.dataSource.manager, { kind: 'recipient', id }, outcome),
      }
    );
  }

  /** Undefined if the mail has no recipient any more, or its links have nothing left to open. */
  private async write(ctx: WorkContext, delivery: Delivery, sender: Sender): Promise<ReadyMail | undefined> {
    const { to, language, hash: id, linkTemplates, contactId } = delivery;
    if (!delivery.isWanted) return undefined;
    if (linkTemplates === null) return { to, language, id, content: this.contentOf(delivery, sender) };
    if (contactId === null) return undefined;
    const hash = await this.links.newHash(ctx, delivery, contactId);
    if (hash === undefined) return undefined;
    const links = linkTemplates.map((template) => linkFrom(template, { contactId, hash }));
    return { to, language, id, content: this.contentOf(delivery, sender, links) };
  }

  private contentOf(
    { linkTemplates, organisationId, brandVersion, ...told }: Delivery,
    sender: Sender,
    links: readonly string[] = [],
  ): MailContent {
    const { kinds } = this;
    return notificationMail({ ...told, kind: kinds.of(told), otherParams: kinds.params, links }, sender);
  }
}
