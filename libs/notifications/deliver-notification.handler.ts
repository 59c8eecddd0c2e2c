import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { Repository } from 'typeorm';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { JobHandler, type RunningJob } from '@app/core/jobs/job-handler';
import { APP_LOGGER } from '@app/core/logging/logger';
import { failureMessage } from '@app/core/mail/failure-message';
import type { MailLanguage } from '@app/core/mail/mail.types';
import { Mailer } from '@app/core/mail/mailer';
import { DELIVER_NOTIFICATION } from './notification-jobs';
import { NotificationRecipient } from './notification-recipient.entity';
import { notificationText, type ToldEvent } from './notification-text';
import type { RecipientKind, RecipientStatus } from './notification.types';

/** A waiting delivery with what its mail says. */
interface Delivery extends ToldEvent {
  readonly to: string;
  readonly kind: RecipientKind;
  readonly language: MailLanguage;
  readonly hash: string;
  readonly organisation: string;
  /** The contact is still there, and its user, if it has one, can still log in. */
  readonly isWanted: boolean;
}

/** The delivery to the recipient $1, while it waits. */
const WAITING_DELIVERY = prepared(`
  SELECT r.value AS "to", r.kind, r.language, r.hash, o.name AS organisation, n.notification_group AS "group", n.type,
    n.entity_class AS "entityClass", n.entity_name AS "entityName", n.subject, n.params,
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
      await this.send(delivery);
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
  private send({ to, kind, language, hash, organisation, ...event }: Delivery): Promise<void> {
    const values = { organisation, ...notificationText(event, language) };
    const template = kind === 'own' ? 'ownNotification' : 'notification';
    return this.mailer.send({ template, to, language, values }, hash);
  }

  /** The notification itself follows by trigger. */
  private async settle(id: number, status: RecipientStatus, message = ''): Promise<void> {
    await this.recipients.update({ id, status: 'queued' }, { status, message });
  }
}
