import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { Notification, NotificationRecipient } from './notification.entity';
import { ExpandNotificationHandler } from './notification-expansion';
import type { NotificationKind } from './notification-kind';
import { DeclaredKinds, NotificationKinds } from './notification-kinds';
import { NotificationMails } from './notification-mails';
import { NotificationRecipients } from './notification-recipients';
import { NotificationRecorder } from './notification-recorder';
import { ORGANISATION_NOTICES } from './organisations.notices';
import { USER_NOTICES } from './users.notices';

/** Kinds of news by what happens to the records of a class. */
type Notices = Readonly<Record<string, NotificationKind>>;

const declaring = (...notices: readonly Notices[]) => ({
  provide: DeclaredKinds,
  useValue: new DeclaredKinds(notices.flatMap((kinds) => Object.values(kinds))),
});

/** The kinds of news that a domain declares. */
@Module({})
class DeclaredKindsModule {}

/** Records and delivers the events of all domains, in both variants. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([Notification, NotificationRecipient]), MailModule],
  providers: [
    declaring(USER_NOTICES, ORGANISATION_NOTICES),
    NotificationKinds,
    NotificationRecorder,
    NotificationRecipients,
    NotificationMails,
    ExpandNotificationHandler,
  ],
  exports: [NotificationKinds, NotificationRecorder, NotificationRecipients],
})
export class NotificationsModule {
  /** This module, for a domain that declares the kinds of its news. */
  static forFeature(...notices: readonly Notices[]): DynamicModule {
    return {
      module: DeclaredKindsModule,
      imports: [NotificationsModule],
      providers: [declaring(...notices)],
      exports: [NotificationsModule],
    };
  }
}
