import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { DeliverNotificationHandler } from './deliver-notification.handler';
import { Notification, NotificationRecipient } from './notification.entity';
import {
  ExpandNotificationHandler,
  NotificationRelease,
  ReleaseNotificationsHandler,
} from './notification-expansion';
import { NotificationRecipients } from './notification-recipients';
import { NotificationRecorder } from './notification-recorder';

/** Records and delivers the events of all domains, in both variants. */
@Module({
  imports: [TypeOrmModule.forFeature([Notification, NotificationRecipient]), MailModule],
  providers: [
    NotificationRecorder,
    NotificationRelease,
    NotificationRecipients,
    ExpandNotificationHandler,
    ReleaseNotificationsHandler,
    DeliverNotificationHandler,
  ],
  exports: [NotificationRecorder, NotificationRecipients],
})
export class NotificationsModule {}
