import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_LOGGER } from '@app/platform/observability/logger';
import type { Logger } from 'pino';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { Settings } from '@app/platform/process/settings';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from '@app/security/access/access.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { AuditModule } from '@app/security/audit/audit.module';
import { ClockModule } from '@app/platform/process/clock';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { DatabaseModule } from '@app/platform/database/database.module';
import { ErrorFilter } from './http/error.filter';
import { HealthModule } from './observability/health.module';
import { JobsModule } from '@app/platform/jobs/job-runner';
import { PagingModule } from '@app/platform/lists/paginator';
import { RefusalsModule } from '@app/security/audit/refusals';
import { MetricsRoutesModule } from './observability/metrics.module';
import { ExtensionsModule } from './extensions';
import { ResponseMemoryBudget, ResponseWriter } from '@app/platform/dto/response-writer';
import { AclsModule } from '@app/acls/acls.module';
import { ApiKeysModule } from '@app/apikeys/apikeys.module';
import { AuditRoutesModule } from '@app/audit/audit.controller';
import { AuthModule } from '@app/auth/auth.module';
import { EventsModule } from '@app/events/events.module';
import { ExplanationsModule } from '@app/explanations/explanations.controller';
import { DocumentsModule } from '@app/documents/documents.module';
import { AuthzenModule } from '@app/authzen/authzen.module';
import { EntitiesModule } from '@app/entities/entities.module';
import { IdempotencyModule } from '@app/idempotency/idempotency.module';
import { IntrospectionModule } from '@app/introspection/introspection.module';
import { UserLoginsModule } from '@app/logins/user-logins.controller';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ContactsModule } from '@app/contacts/contacts.module';
import { InvitationsModule } from '@app/invitations/invitations.module';
import { LoginNoticesModule } from '@app/login-notices/login-notices.module';
import { OrganisationsModule } from '@app/organisations/organisations.module';
import { PagesModule } from '@app/pages/pages.module';
import { PasskeysModule } from '@app/passkeys/passkeys.module';
import { PreferencesModule } from '@app/preferences/preferences.module';
import { PrivacyModule } from '@app/privacy/person-export';
import { RecoveryModule } from '@app/recovery/recovery.module';
import { ReferenceModule } from '@app/reference/reference.controller';
import { ServiceKeysModule } from '@app/servicekeys/servicekeys.module';
import { SshKeysModule } from '@app/sshkeys/sshkeys.module';
import { SupportModule } from '@app/support/support.module';
import { SuspensionsModule } from '@app/suspensions/suspensions.module';
import { TeamsModule } from '@app/teams/teams.module';
import { TestClockModule } from '@app/test-clock/test-clock.module';
import { UsageModule } from '@app/usage/usage.module';
import { UsersModule } from '@app/users/users.module';
import { WebhooksModule } from '@app/webhooks/webhooks.module';
import { VariantsModule } from './variants/variants.module';

/** For every module: the settings, the logger and the keys for secrets at rest. */
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

/** The settings of a process and what follows from them. */
export interface AppOptions {
  readonly settings: Settings;
  /** Connection string of the migrated database. */
  readonly databaseUrl: string;
  /** {@link Settings.secretsKey}, or a generated one. */
  readonly secretsKey: string;
  readonly logger: Logger;
}

/** The service: the platform first, then the domains in the order of their dependencies, then the variant. */
@Module({})
export class AppModule {
  static with({ settings, databaseUrl, secretsKey, logger }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        EnvironmentModule.with(settings, secretsKey, logger),
        DatabaseModule.connectedTo(databaseUrl, settings.databasePool, settings.databasePooler),
        ConstraintErrorsModule,
        AccessModule,
        PagingModule,
        ThrottlingModule,
        AuditModule,
        ClockModule,
        HealthModule,
        MetricsRoutesModule,
        RefusalsModule,
        JobsModule,
        ExplanationsModule,
        IntrospectionModule,
        OrganisationsModule,
        AclsModule,
        UsersModule,
        NotificationsModule,
        TeamsModule,
        ContactsModule,
        SuspensionsModule,
        AuthModule,
        RecoveryModule,
        LoginNoticesModule,
        PasskeysModule,
        ApiKeysModule,
        ServiceKeysModule,
        WebhooksModule,
        SupportModule,
        InvitationsModule,
        SshKeysModule,
        PreferencesModule,
        EntitiesModule,
        AuthzenModule,
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
