import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliverNotificationHandler } from './deliver-notification.handler';
import { NotificationRecipient } from './notification-recipient.entity';
import { NotificationRecorder } from './notification-recorder';
import { Notification } from './notification.entity';

/** Writing and delivering notifications, in both variants: every domain records what happens in it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Notification, NotificationRecipient])],
  providers: [NotificationRecorder, DeliverNotificationHandler],
  exports: [NotificationRecorder],
})
export class NotificationsModule {}
