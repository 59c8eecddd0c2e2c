import { Global, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Settings } from '@app/config/settings';
import { STORED_RESPONSE_RULES } from '@app/edge/idempotency/idempotency.lifecycle';
import { TEST_CLOCK_RULES } from '@app/edge/test-clock/test-clock.module';
import { USAGE_RULES } from '@app/edge/usage/usage.module';
import { AUDIT_RULES } from '@app/feeds/audit/audit.module';
import { AuditKinds } from '@app/feeds/audit/audit-kinds';
import { WEBHOOK_DELIVERY_RULES, WEBHOOK_RULES } from '@app/feeds/webhooks/webhooks.lifecycle';
import { type DeletionRules, Deletions } from '@app/lifecycle/deletions';
import type { PersonalData } from '@app/lifecycle/personal-data';
import { handledBy, type TableRules } from '@app/lifecycle/table-rules';
import { type UserEventHandler, UserEvents } from '@app/lifecycle/user-events';
import { JOB_RULES, MAIL_RULES } from '@app/mail/mail.privacy';
import { MailListener } from '@app/mail/stored-mails';
import { ACL_RULES, ACL_TEAM_RULES } from '@app/people/acls/acls.lifecycle';
import { BRAND_RULES } from '@app/people/brands/brands.lifecycle';
import { CONTACT_RULES, FORMER_CONTACT_RULES } from '@app/people/contacts/contacts.lifecycle';
import { INVITATION_RULES } from '@app/people/invitations/invitations.lifecycle';
import { NotificationRecipients } from '@app/people/notifications/notification-recipients';
import {
  NOTIFICATION_PERSONAL_DATA,
  NOTIFICATION_RULES,
  RECIPIENT_PERSONAL_DATA,
} from '@app/people/notifications/notifications.lifecycle';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UserNotifications } from '@app/people/notifications/user-notifications';
import {
  ORGANISATION_CLOSURE_RULES,
  ORGANISATION_RULES,
  PRICE_GROUP_RULES,
} from '@app/people/organisations/organisations.lifecycle';
import { PREFERENCE_RULES } from '@app/people/preferences/preferences.module';
import { SUSPENSION_PERSONAL_DATA, SUSPENSION_RULES } from '@app/people/suspensions/suspensions.lifecycle';
import { TEAM_ENTITY_RULES, TEAM_MEMBER_RULES, TEAM_RULES } from '@app/people/teams/teams.lifecycle';
import { RecoveryCodeCheck } from '@app/people/users/code-checks';
import { USER_RULES } from '@app/people/users/users.lifecycle';
import { DeclaredConstraintErrors } from '@app/platform/errors/constraint-errors';
import { CleanUpHandler, DELETE_FAILED_JOBS } from '@app/platform/jobs/clean-up';
import { DOCUMENT_LINK_RULES, DOCUMENT_RULES } from '@app/records/documents/documents.lifecycle';
import { REGISTERED_ENTITY_RULES } from '@app/records/entities/entities.module';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { PersonExport } from '@app/records/privacy/person-export';
import { ATTEMPT_RULES } from '@app/security/throttling/throttling.module';
import { API_KEY_RULES } from '@app/sign-in/apikeys/apikeys.lifecycle';
import {
  KNOWN_NETWORK_RULES,
  LOGIN_RULES,
  OLDER_DEVICE_TOKEN_RULES,
  RECOVERY_CODE_RULES,
  TRUSTED_DEVICE_RULES,
} from '@app/sign-in/auth/auth.lifecycle';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { RecoveryCodes } from '@app/sign-in/auth/recovery-codes';
import { LOGIN_LINK_RULES } from '@app/sign-in/login-links/login-links.lifecycle';
import { FIRST_LOGIN_RULES, LOGIN_NOTICE_RULES } from '@app/sign-in/login-notices/login-notices.lifecycle';
import { PASSKEY_CHALLENGE_RULES, PASSKEY_RULES } from '@app/sign-in/passkeys/passkeys.lifecycle';
import { RECOVERY_REQUEST_RULES } from '@app/sign-in/recovery/recovery.lifecycle';
import { SERVICE_KEY_RULES } from '@app/sign-in/servicekeys/servicekeys.lifecycle';
import { SSH_KEY_RULES } from '@app/sign-in/sshkeys/sshkeys.lifecycle';
import { SUPPORT_ACCESS_RULES } from '@app/sign-in/support/support.module';

/**
 * Tables in the order of their locks. Deletions of users and organisations change rows in this order, after
 * the deleted row itself, and so do reactions to changes of users; every other transaction that locks rows of
 * several tables has the same order, so that none waits for another in a circle.
 */
const LOCK_ORDER: readonly TableRules[] = [
  ORGANISATION_RULES,
  ORGANISATION_CLOSURE_RULES,
  PRICE_GROUP_RULES,
  SUSPENSION_RULES,
  USER_RULES,
  LOGIN_RULES,
  KNOWN_NETWORK_RULES,
  FIRST_LOGIN_RULES,
  LOGIN_NOTICE_RULES,
  RECOVERY_REQUEST_RULES,
  RECOVERY_CODE_RULES,
  TRUSTED_DEVICE_RULES,
  PASSKEY_RULES,
  PASSKEY_CHALLENGE_RULES,
  API_KEY_RULES,
  SERVICE_KEY_RULES,
  WEBHOOK_RULES,
  LOGIN_LINK_RULES,
  SUPPORT_ACCESS_RULES,
  BRAND_RULES,
  TEAM_RULES,
  TEAM_MEMBER_RULES,
  INVITATION_RULES,
  // Before the contacts are deleted, because it finds invitations by them.
  NOTIFICATION_RULES,
  CONTACT_RULES,
  FORMER_CONTACT_RULES,
  DOCUMENT_RULES,
  ACL_RULES,
  SSH_KEY_RULES,
  PREFERENCE_RULES,
  REGISTERED_ENTITY_RULES,
  STORED_RESPONSE_RULES,
];

/** Reacts to changes of users by what the rules above have added or removed. It locks nothing. */
const AFTER_CHANGES: Type<UserEventHandler> = UserNotifications;

/**
 * What is true of tables that no deletion and no reaction locks. Their order is that of the parts in the
 * export of a person, after those above, and matters for nothing else.
 */
const WITHOUT_LOCKS: readonly TableRules[] = [
  SUSPENSION_PERSONAL_DATA,
  NOTIFICATION_PERSONAL_DATA,
  RECIPIENT_PERSONAL_DATA,
  MAIL_RULES,
  JOB_RULES,
  ACL_TEAM_RULES,
  ATTEMPT_RULES,
  DOCUMENT_LINK_RULES,
  OLDER_DEVICE_TOKEN_RULES,
  TEAM_ENTITY_RULES,
  TEST_CLOCK_RULES,
  ...USAGE_RULES,
  WEBHOOK_DELIVERY_RULES,
  AUDIT_RULES,
];

/** The rules of all tables. Some have two: for deletions, and for personal data. */
export const TABLE_RULES: readonly TableRules[] = [...LOCK_ORDER, ...WITHOUT_LOCKS];

const isDeletion = (rules: TableRules): rules is TableRules & DeletionRules => 'withUsers' in rules;
const isPersonalData = (rules: TableRules): rules is TableRules & PersonalData => 'part' in rules;
const isUserEventHandler = (rules: TableRules): rules is TableRules & UserEventHandler => 'handle' in rules;

const cleanUpOf = (
  { table, outdated, cleanUp }: TableRules,
  retention: Settings['retention'],
): readonly string[] => [
  ...(outdated === undefined ? [] : [`DELETE FROM ${table} WHERE ${outdated}`]),
  ...(cleanUp?.(retention) ?? []),
];

/**
 * Fills the extension points. A domain declares its rules; the lists above say whose order matters.
 * It also binds abstract classes through which a domain calls a domain above it.
 */
@Global()
@Module({
  imports: [AuthModule, NotificationsModule],
  providers: [
    DeclaredConstraintErrors,
    { provide: AuditKinds, useValue: new AuditKinds(TABLE_RULES) },
    { provide: MailListener, useExisting: NotificationRecipients },
    { provide: RecoveryCodeCheck, useExisting: RecoveryCodes },
  ],
  exports: [AuditKinds, DeclaredConstraintErrors, MailListener, RecoveryCodeCheck],
})
export class ExtensionsModule implements OnModuleInit {
  constructor(private readonly modules: ModuleRef) {}

  /** Before the worker starts (`onApplicationBootstrap`). */
  onModuleInit(): void {
    const { retention } = this.the(Settings);
    const rules = TABLE_RULES.map((given) =>
      given.handler === undefined ? given : handledBy(given, this.the(given.handler)),
    );
    const personalData = rules.filter(isPersonalData);
    this.the(CleanUpHandler).statements = [
      DELETE_FAILED_JOBS,
      ...rules.flatMap((one) => cleanUpOf(one, retention)),
    ];
    this.the(DeclaredConstraintErrors).all = Object.fromEntries(
      rules.flatMap(({ constraintErrors = {} }) => Object.entries(constraintErrors)),
    );
    this.the(Deletions).handlers = rules.filter(isDeletion);
    this.the(PersonExport).personalData = personalData;
    this.the(PersonErasure).personalData = personalData;
    this.the(UserEvents).handlers = [...rules.filter(isUserEventHandler), this.the(AFTER_CHANGES)];
  }

  /** Throws if no module provides it. */
  private the<Provider>(provider: Type<Provider>): Provider {
    return this.modules.get(provider, { strict: false });
  }
}
