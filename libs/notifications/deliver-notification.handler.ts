import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectRepository } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { Repository } from 'typeorm';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { orderedProviders } from '@app/core/discovery/ordered-providers';
import { JobHandler, type RunningJob } from '@app/core/jobs/job-handler';
import { APP_LOGGER } from '@app/core/logging/logger';
import { failureMessage } from '@app/core/mail/failure-message';
import type { MailLanguage } from '@app/core/mail/mail.types';
import { contactLink } from '@app/core/mail/links';
import { Mailer } from '@app/core/mail/mailer';
import { DELIVER_NOTIFICATION } from './notification-jobs';
import { NotificationLinks } from './notification-links';
import { NotificationRecipient } from './notification-recipient.entity';
import { notificationText, type ToldEvent } from './notification-text';
import type { RecipientKind, RecipientStatus } from './notification.types';

/** A waiting delivery with what its mail says. */
interface Delivery extends ToldEvent {
  readonly to: string;
  readonly kind: RecipientKind;
  readonly language: MailLanguage;
  readonly hash: string;
  readonly contactId: number | null;
  readonly entityId: number;
  readonly linkTemplates: readonly string[] | null;
  readonly organisation: string;
  /** The contact is still there, and its user, if it has one, can still log in. */
  readonly isWanted: boolean;
}

/** The delivery to the recipient $1, while it waits. */
const WAITING_DELIVERY = prepared(`
  SELECT r.value AS "to", r.kind, r.language, r.hash, o.name AS organisation, n.notification_group AS "group", n.type,
    n.entity_class AS "entityClass", n.entity_name AS "entityName", n.subject, n.params,
    n.entity_id AS "entityId", n.link_templates AS "linkTemplates", r.contact_id AS "contactId",
    actor.first_name || ' ' || actor.last_name AS actor,
    o.deleted_at IS NULL AND (r.contact_id IS NULL OR r.kind <> 'contact' OR EXISTS (
      SELECT 1 FROM contacts c LEFT JOIN users u ON u.id = c.user_id
      WHERE c.id = r.contact_id AND (c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL)))) AS "isWanted"
  FROM notification_recipients r
  JOIN notifications n ON n.id = r.notification_id
  JOIN organisations o ON o.id = n.organisation_id
  LEFT JOIN users actor ON actor.id = n.user_id AND actor.deleted_at IS NULL
  WHERE r.id = $1 AND r.status = 'queued'`);

/** Tells one recipient of a notification by e-mail and keeps what became of it. */
@Injectable()
export class DeliverNotificationHandler extends JobHandler {
  readonly task = DELIVER_NOTIFICATION;

  constructor(
    private readonly queries: PreparedQueries,
    private readonly mailer: Mailer,
    private readonly discovery: DiscoveryService,
    @InjectRepository(NotificationRecipient) private readonly recipients: Repository<NotificationRecipient>,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async run(payload: unknown, job: RunningJob): Promise<void> {
    const { recipientId } = payload as { recipientId: number };
    const delivery = await this.queries.row<Delivery>(WAITING_DELIVERY, [recipientId]);
    if (delivery === undefined) return;
    if (!delivery.isWanted) return this.settle(recipientId, 'skipped');
    try {
      const links = await this.linksOf(delivery);
      if (links === undefined) return await this.settle(recipientId, 'skipped');
      await this.send(delivery, links);
    } catch (error) {
      if (job.isLastTry) {
        await this.settle(recipientId, 'failed', failureMessage(error));
        this.logger.error({ err: error, jobId: job.id, recipientId }, 'notification could not be delivered');
      }
      throw error;
    }
    await this.settle(recipientId, 'sent');
  }

  /** The same hash at every try, so that a mail server can tell a repeated mail. */
  private send(
    { to, kind, language, hash, organisation, ...event }: Delivery,
    links: readonly string[],
  ): Promise<void> {
    const told = { organisation, ...notificationText(event, language) };
    const values = links.length > 0 ? { ...told, links: links.join('\n') } : told;
    const template =
      links.length > 0 ? 'linkedNotification' : kind === 'own' ? 'ownNotification' : 'notification';
    return this.mailer.send({ template, to, language, values }, hash);
  }

  /** Undefined where there is nothing for them to lead to any more. */
  private async linksOf(delivery: Delivery): Promise<readonly string[] | undefined> {
    const { linkTemplates, entityClass, entityId, contactId } = delivery;
    if (linkTemplates === null) return [];
    const maker = orderedProviders(this.discovery, NotificationLinks).find(
      (links) => links.entityClass === entityClass,
    );
    if (maker === undefined || contactId === null) return undefined;
    const hash = await maker.newHash(entityId, contactId);
    return hash === undefined
      ? undefined
      : linkTemplates.map((template) => contactLink(template, { contactId, hash }));
  }

  /** The notification itself follows by trigger. */
  private async settle(id: number, status: RecipientStatus, message = ''): Promise<void> {
    await this.recipients.update({ id, status: 'queued' }, { status, message });
  }
}
