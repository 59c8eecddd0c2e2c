import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { UserRenamed } from '@app/lifecycle/user-events';
import { dateIn } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import { redactedNotificationText } from '@app/people/notifications/notification-text';
import { USER_NOTIFICATIONS } from '@app/people/notifications/users.notifications';

/**
 * Tells of a new user name at the mailbox that mail to the user went to until then (rule recovery 28, rule
 * recovery 22): of an own rename with a button to where one asks for a new password, of others without a
 * link.
 */
@Injectable()
export class RenameMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  async send(
    manager: EntityManager,
    { userId, actorId, organisationId, mailbox }: UserRenamed,
  ): Promise<void> {
    const { address: to, isVerified, name: username, fullName, language } = mailbox;
    if (to === undefined) return;
    const mail = { to, language, organisationId, userId };
    if (!isVerified) {
      const values = redactedNotificationText(
        USER_NOTIFICATIONS.name_changed,
        new Date(),
        language,
        this.settings,
      );
      const { subject, text } = values;
      return this.outbox.queue(manager, {
        ...mail,
        template: 'unverifiedNotification',
        values: { subject, text },
      });
    }
    const when = dateIn(language, new Date(), this.settings.timeZone);
    const values = { fullName, username, when };
    await this.outbox.queue(
      manager,
      actorId === userId
        ? { ...mail, template: 'ownNameChanged', values }
        : { ...mail, template: 'usernameChanged', values },
    );
  }
}
