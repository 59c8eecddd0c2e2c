import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/constraint-errors';
import { MailModule } from '@app/mail/mail.module';
import { DeliverNotificationHandler } from './deliver-notification.handler';
import {
  ExpandNotificationHandler,
  NotificationRelease,
  ReleaseNotificationsHandler,
} from './notification-expansion';
import { Notification, NotificationRecipient } from './notification.entity';
import { NotificationRecipients } from './notification-recipients';
import { NOTIFICATION_CONSTRAINT_ERRORS } from './notification.types';
import { NotificationRecorder } from './notification-recorder';

/** Records and delivers the events of all domains, in both variants. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Notification, NotificationRecipient]),
    ConstraintErrorsModule.forFeature(NOTIFICATION_CONSTRAINT_ERRORS),
    MailModule,
  ],
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
