import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { Notification, NotificationRecipient } from './notification.entity';
import { NotificationDeletions } from './notification-deletions';
import { ExpandNotificationHandler } from './notification-expansion';
import type { NotificationKind } from './notification-kind';
import { DeclaredKinds, NotificationKinds } from './notification-kinds';
import { NotificationMails } from './notification-mails';
import { NotificationRecipients } from './notification-recipients';
import { NotificationRecorder } from './notification-recorder';
import { ORGANISATION_NOTIFICATIONS } from './organisations.notifications';
import { UserNotifications } from './user-notifications';
import { USER_NOTIFICATIONS } from './users.notifications';

/** Kinds of notifications by what happens to the records of a class. */
type Kinds = Readonly<Record<string, NotificationKind>>;

const declaring = (...records: readonly Kinds[]) => ({
  provide: DeclaredKinds,
  useValue: new DeclaredKinds(records.flatMap((kinds) => Object.values(kinds))),
});

/** The kinds of notifications that a domain declares. */
@Module({})
class DeclaredKindsModule {}

/** Records and delivers the events of all domains, in both variants. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([Notification, NotificationRecipient]), MailModule],
  providers: [
    declaring(USER_NOTIFICATIONS, ORGANISATION_NOTIFICATIONS),
    NotificationDeletions,
    NotificationKinds,
    NotificationRecorder,
    NotificationRecipients,
    NotificationMails,
    ExpandNotificationHandler,
    UserNotifications,
  ],
  exports: [NotificationKinds, NotificationRecorder, NotificationRecipients],
})
export class NotificationsModule {
  /** This module, for a domain that declares the kinds of its notifications. */
  static forFeature(...records: readonly Kinds[]): DynamicModule {
    return {
      module: DeclaredKindsModule,
      imports: [NotificationsModule],
      providers: [declaring(...records)],
      exports: [NotificationsModule],
    };
  }
}
