import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import { IdempotencyModule } from '@app/edge/idempotency/idempotency.module';
import { PagesModule } from '@app/edge/pages/pages.module';
import { TestClockModule } from '@app/edge/test-clock/test-clock.module';
import { UsageModule } from '@app/edge/usage/usage.module';
import { AuditModule } from '@app/feeds/audit/audit.module';
import { AuditRoutesModule } from '@app/feeds/audit/audit-routes.module';
import { EventsModule } from '@app/feeds/events/events.module';
import { WebhooksModule } from '@app/feeds/webhooks/webhooks.module';
import { AclsModule } from '@app/people/acls/acls.module';
import { BrandsModule } from '@app/people/brands/brands.module';
import { ContactsModule } from '@app/people/contacts/contacts.module';
import { InvitationsModule } from '@app/people/invitations/invitations.module';
import { NotificationRoutesModule } from '@app/people/notifications/notification-routes.module';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { OrganisationsModule } from '@app/people/organisations/organisations.module';
import { SuspensionsModule } from '@app/people/suspensions/suspensions.module';
import { TeamsModule } from '@app/people/teams/teams.module';
import { ClockModule } from '@app/people/users/clock.module';
import { UsersModule } from '@app/people/users/users.module';
import { keepsSessions } from '@app/platform/database/data-source-options';
import { DatabaseModule } from '@app/platform/database/database.module';
import { ResponseMemoryBudget, ResponseWriter } from '@app/platform/http/response-writer';
import { JobsModule } from '@app/platform/jobs/jobs.module';
import { PagingModule } from '@app/platform/lists/paging.module';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { DocumentsModule } from '@app/records/documents/documents.module';
import { EntitiesModule } from '@app/records/entities/entities.module';
import { EntityRoutesModule } from '@app/records/entities/entity-routes.module';
import { PrivacyModule } from '@app/records/privacy/privacy.module';
import { ReferenceModule } from '@app/records/reference/reference.module';
import { AccessListModule } from '@app/rights/access-list/access-list.module';
import { IntrospectionModule } from '@app/rights/introspection/introspection.module';
import { AccessModule } from '@app/security/access/access.module';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { ApiKeysModule } from '@app/sign-in/apikeys/apikeys.module';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { LoginLinksModule } from '@app/sign-in/login-links/login-links.module';
import { LoginNoticesModule } from '@app/sign-in/login-notices/login-notices.module';
import { UserLoginsModule } from '@app/sign-in/logins/user-logins.module';
import { PasskeysModule } from '@app/sign-in/passkeys/passkeys.module';
import { RecoveryModule } from '@app/sign-in/recovery/recovery.module';
import { ServiceKeysModule } from '@app/sign-in/servicekeys/servicekeys.module';
import { SshKeysModule } from '@app/sign-in/sshkeys/sshkeys.module';
import { SupportModule } from '@app/sign-in/support/support.module';
import { UsernameLinksModule } from '@app/sign-in/username-links/username-links.module';
import { ExtensionsModule } from './extensions.module';
import { ErrorFilter } from './http/error.filter';
import { HealthModule } from './observability/health.module';
import { MetricsRoutesModule } from './observability/metrics-routes.module';
import { VariantsModule } from './variants/variants.module';

/** For every module: the settings, the logger and the keys for stored secrets. */
@Global()
@Module({})
export class EnvironmentModule {
  static with(settings: Settings, secretsKey: string, logger: Logger): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: APP_LOGGER, useValue: logger },
        { provide: SecretsKeyring, useValue: SecretsKeyring.parse(secretsKey) },
      ],
      exports: [Settings, APP_LOGGER, SecretsKeyring],
    };
  }
}

/** The settings of a process, and values derived from them. */
export interface AppOptions {
  readonly settings: Settings;
  /** Connection string of the migrated database. */
  readonly databaseUrl: string;
  /** {@link Settings.secretsKey}, or a generated one. */
  readonly secretsKey: string;
  readonly logger: Logger;
}

/** The service: first the platform, then the domains in the order of their dependencies, then the variant. */
@Module({})
export class AppModule {
  static with({ settings, databaseUrl, secretsKey, logger }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        EnvironmentModule.with(settings, secretsKey, logger),
        DatabaseModule.connectedTo(databaseUrl, settings.databasePool, keepsSessions(settings)),
        AccessModule,
        PagingModule,
        ThrottlingModule,
        AuditModule,
        ClockModule,
        HealthModule,
        MetricsRoutesModule,
        JobsModule,
        IntrospectionModule,
        OrganisationsModule,
        AclsModule,
        UsersModule,
        NotificationsModule,
        NotificationRoutesModule,
        TeamsModule,
        ContactsModule,
        SuspensionsModule,
        BrandsModule,
        AuthModule,
        RecoveryModule,
        UsernameLinksModule,
        LoginNoticesModule,
        PasskeysModule,
        ApiKeysModule,
        ServiceKeysModule,
        WebhooksModule,
        SupportModule,
        LoginLinksModule,
        InvitationsModule,
        SshKeysModule,
        EntitiesModule,
        EntityRoutesModule,
        AccessListModule,
        DocumentsModule,
        ReferenceModule,
        UserLoginsModule,
        AuditRoutesModule,
        EventsModule,
        PrivacyModule,
        UsageModule,
        IdempotencyModule,
        ExtensionsModule,
        VariantsModule.serving(settings.variant, settings),
        ...(settings.pages ? [PagesModule] : []),
        ...(settings.testClock ? [TestClockModule] : []),
      ],
      providers: [ResponseMemoryBudget, { provide: APP_FILTER, useClass: ErrorFilter }, ResponseWriter],
    };
  }
}
