import { Global, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type DeletionHandler, Deletions } from '@app/lifecycle/deletions';
import type { PersonalData } from '@app/lifecycle/personal-data';
import { type UserEventHandler, UserEvents } from '@app/lifecycle/user-events';
import { MailBudgetCleanUp } from '@app/mail/mail-budget';
import { MailListener } from '@app/mail/mail-delivery';
import { MailPersonalData } from '@app/mail/mail.privacy';
import { SendMailHandler } from '@app/mail/send-mail.handler';
import { type CleanUp, CleanUpHandler, JobsCleanUp } from '@app/platform/jobs/clean-up';
import type { JobHandler } from '@app/platform/jobs/job-handler';
import { JobRunner } from '@app/platform/jobs/job-runner';
import { AuditCleanUp } from '@app/security/audit/audit.module';
import { ThrottlingCleanUp } from '@app/security/throttling/throttling.module';
import { AclDeletion } from '@app/acls/acls.module';
import { AnnounceKeyEndsHandler } from '@app/apikeys/announce-key-ends.handler';
import { ApiKeyRecords, ApiKeysCleanUp } from '@app/apikeys/apikeys.lifecycle';
import {
  AuthCleanUp,
  KnownNetworkRecords,
  LoginRecords,
  RecoveryCodeRecords,
  TrustedDeviceRecords,
} from '@app/auth/auth.lifecycle';
import { AuthModule } from '@app/auth/auth.module';
import { NewNetworkListener } from '@app/auth/new-network-listener';
import { RecoveryCodes } from '@app/auth/recovery-codes';
import { UserCredentials } from '@app/auth/login-endings';
import { ContactRecords, ContactsCleanUp, FormerContactRecords } from '@app/contacts/contacts.lifecycle';
import { DocumentLinks } from '@app/documents/document-links';
import { DocumentDeletion, DocumentsCleanUp } from '@app/documents/documents.lifecycle';
import { DocumentsModule } from '@app/documents/documents.module';
import { RegisteredEntityDeletion } from '@app/entities/entity-registration.service';
import { KeptResponseRecords, KeptResponsesCleanUp } from '@app/idempotency/idempotency.lifecycle';
import {
  InvitationDeletion,
  InvitationPersonalData,
  InvitationsCleanUp,
} from '@app/invitations/invitations.lifecycle';
import {
  FirstLoginRecords,
  LoginNoticeRecords,
  LoginNoticesCleanUp,
} from '@app/login-notices/login-notices.lifecycle';
import { LoginNoticesModule } from '@app/login-notices/login-notices.module';
import { LoginNotices } from '@app/login-notices/login-notices';
import {
  DeliverNotificationHandler,
  NotificationLinks,
} from '@app/notifications/deliver-notification.handler';
import {
  ExpandNotificationHandler,
  ReleaseNotificationsHandler,
} from '@app/notifications/notification-expansion';
import { NotificationRecipients } from '@app/notifications/notification-recipients';
import {
  NotificationDeletion,
  NotificationPersonalData,
  NotificationsCleanUp,
  RecipientPersonalData,
} from '@app/notifications/notifications.lifecycle';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { UserNotices } from '@app/notifications/user-notices';
import { OrganisationClosureDeletion, OrganisationDeletion } from '@app/organisations/organisations.module';
import { PasskeyChallengeRecords, PasskeyRecords, PasskeysCleanUp } from '@app/passkeys/passkeys.lifecycle';
import { PreferencesRecords } from '@app/preferences/preferences.module';
import { ErasureRemainsCleanUp, ErasureRemainsDeletion } from '@app/privacy/erasure-remains';
import { PersonErasure } from '@app/privacy/person-erasure';
import { PersonExport } from '@app/privacy/person-export';
import { RecoveryMailHandler } from '@app/recovery/recovery-mail.handler';
import {
  NameRestorationRecords,
  RecoveryCleanUp,
  RecoveryRequestRecords,
  UserRecovery,
} from '@app/recovery/recovery.lifecycle';
import { RenameMails } from '@app/recovery/rename-mails';
import { AnnounceServiceKeyEndsHandler } from '@app/servicekeys/announce-service-key-ends.handler';
import { ServiceKeyDeletion, ServiceKeysCleanUp } from '@app/servicekeys/servicekeys.lifecycle';
import { SshKeyRecords } from '@app/sshkeys/sshkeys.lifecycle';
import { SupportAccessDeletion } from '@app/support/support.module';
import { SuspensionDeletion, SuspensionPersonalData } from '@app/suspensions/suspensions.lifecycle';
import { TellBeneathHandler } from '@app/suspensions/suspension-notices';
import { TeamDeletion, TeamMemberDeletion, TeamMemberPersonalData } from '@app/teams/teams.lifecycle';
import { UsageCleanUp } from '@app/usage/usage.module';
import { SubstituteCodes } from '@app/users/code-checks';
import { DeliverWebhookHandler } from '@app/webhooks/deliver-webhook.handler';
import { WebhookDeletion, WebhooksCleanUp } from '@app/webhooks/webhooks.lifecycle';
import { UserDeletion, UserPersonalData } from '@app/users/users.lifecycle';

/** Jobs of the worker. */
export const JOB_HANDLERS: readonly Type<JobHandler>[] = [
  SendMailHandler,
  ExpandNotificationHandler,
  ReleaseNotificationsHandler,
  DeliverNotificationHandler,
  TellBeneathHandler,
  RecoveryMailHandler,
  AnnounceKeyEndsHandler,
  AnnounceServiceKeyEndsHandler,
  DeliverWebhookHandler,
  CleanUpHandler,
];

/** Deletions of old rows by the worker, in this order. */
export const CLEAN_UPS: readonly Type<CleanUp>[] = [
  JobsCleanUp,
  ThrottlingCleanUp,
  AuthCleanUp,
  LoginNoticesCleanUp,
  RecoveryCleanUp,
  PasskeysCleanUp,
  ApiKeysCleanUp,
  ContactsCleanUp,
  ServiceKeysCleanUp,
  WebhooksCleanUp,
  NotificationsCleanUp,
  MailBudgetCleanUp,
  DocumentsCleanUp,
  InvitationsCleanUp,
  AuditCleanUp,
  UsageCleanUp,
  ErasureRemainsCleanUp,
  KeptResponsesCleanUp,
];

/**
 * Deletions that follow that of a user or organisation. They lock in this order, after the deleted row itself; so does every
 * other transaction that locks rows of several tables. The two lists below keep the order.
 */
export const DELETION_HANDLERS: readonly Type<DeletionHandler>[] = [
  OrganisationDeletion,
  OrganisationClosureDeletion,
  SuspensionDeletion,
  UserDeletion,
  LoginRecords,
  KnownNetworkRecords,
  FirstLoginRecords,
  LoginNoticeRecords,
  RecoveryRequestRecords,
  NameRestorationRecords,
  RecoveryCodeRecords,
  TrustedDeviceRecords,
  PasskeyRecords,
  PasskeyChallengeRecords,
  ApiKeyRecords,
  ServiceKeyDeletion,
  WebhookDeletion,
  SupportAccessDeletion,
  TeamDeletion,
  TeamMemberDeletion,
  InvitationDeletion,
  // Before the contacts go: it finds invitations by them.
  NotificationDeletion,
  ContactRecords,
  FormerContactRecords,
  DocumentDeletion,
  AclDeletion,
  SshKeyRecords,
  PreferencesRecords,
  RegisteredEntityDeletion,
  ErasureRemainsDeletion,
  KeptResponseRecords,
];

/** Personal data, for export and erasure. */
export const PERSONAL_DATA: readonly Type<PersonalData>[] = [
  UserPersonalData,
  LoginRecords,
  KnownNetworkRecords,
  FirstLoginRecords,
  LoginNoticeRecords,
  RecoveryRequestRecords,
  NameRestorationRecords,
  RecoveryCodeRecords,
  TrustedDeviceRecords,
  PasskeyRecords,
  PasskeyChallengeRecords,
  ApiKeyRecords,
  TeamMemberPersonalData,
  InvitationPersonalData,
  SuspensionPersonalData,
  ContactRecords,
  FormerContactRecords,
  SshKeyRecords,
  PreferencesRecords,
  NotificationPersonalData,
  RecipientPersonalData,
  MailPersonalData,
  KeptResponseRecords,
];

/** Reactions to a change of users. */
export const USER_EVENT_HANDLERS: readonly Type<UserEventHandler>[] = [
  UserCredentials,
  UserRecovery,
  RenameMails,
  RecoveryCodeRecords,
  PasskeyRecords,
  ApiKeyRecords,
  ContactRecords,
  SshKeyRecords,
  // Last, so that it sees contacts that the change adds or removes.
  UserNotices,
];

/**
 * Fills the five extension points: a domain provides its handlers, the lists above name them in order. It also binds abstract
 * classes by which a domain calls a domain above it.
 */
@Global()
@Module({
  imports: [AuthModule, DocumentsModule, LoginNoticesModule, NotificationsModule],
  providers: [
    { provide: MailListener, useExisting: NotificationRecipients },
    { provide: NewNetworkListener, useExisting: LoginNotices },
    { provide: NotificationLinks, useExisting: DocumentLinks },
    { provide: SubstituteCodes, useExisting: RecoveryCodes },
  ],
  exports: [MailListener, NewNetworkListener, NotificationLinks, SubstituteCodes],
})
export class ExtensionsModule implements OnModuleInit {
  constructor(private readonly modules: ModuleRef) {}

  /** Before the worker starts (`onApplicationBootstrap`). */
  onModuleInit(): void {
    this.the(JobRunner).handlers = this.all(JOB_HANDLERS);
    this.the(CleanUpHandler).cleanUps = this.all(CLEAN_UPS);
    this.the(Deletions).handlers = this.all(DELETION_HANDLERS);
    this.the(PersonExport).personalData = this.all(PERSONAL_DATA);
    this.the(PersonErasure).personalData = this.all(PERSONAL_DATA);
    this.the(UserEvents).handlers = this.all(USER_EVENT_HANDLERS);
  }

  private all<Handler>(classes: readonly Type<Handler>[]): readonly Handler[] {
    return classes.map((handler) => this.the(handler));
  }

  /** Throws where no module provides it. */
  private the<Provider>(provider: Type<Provider>): Provider {
    return this.modules.get(provider, { strict: false });
  }
}
