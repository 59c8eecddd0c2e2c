import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/core/mail/mail.module';
import { DeliverNotificationHandler } from './deliver-notification.handler';
import { ExpandNotificationHandler } from './expand-notification.handler';
import { InvitedRecipients } from './invited-recipients';
import { NotificationRecipient } from './notification-recipient.entity';
import { NotificationRecorder } from './notification-recorder';
import { NotificationRelease } from './notification-release';
import { Notification } from './notification.entity';
import { NotificationsCleanUp } from './notifications.clean-up';
import { NotificationDeletion } from './notifications.deletion';
import { NotificationPersonalData, RecipientPersonalData } from './notifications.privacy';
import { ReleaseNotificationsHandler } from './release-notifications.handler';
import { UserNotices } from './user-notices';

/** Writing and delivering notifications, in both variants: every domain records what happens in it. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([Notification, NotificationRecipient]), MailModule],
  providers: [
    NotificationRecorder,
    NotificationRelease,
    InvitedRecipients,
    ExpandNotificationHandler,
    ReleaseNotificationsHandler,
    DeliverNotificationHandler,
    NotificationDeletion,
    NotificationPersonalData,
    RecipientPersonalData,
    NotificationsCleanUp,
    UserNotices,
  ],
  exports: [NotificationRecorder, InvitedRecipients],
})
export class NotificationsModule {}
