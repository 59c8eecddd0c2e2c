import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccessModule } from '@app/access/access.module';
import { ThrottlingModule } from '@app/core/throttling/throttling.module';
import { AuditModule } from '@app/core/audit/audit.module';
import { ClockModule } from '@app/core/clock/clock.module';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { DatabaseModule } from '@app/core/database/database.module';
import { ErrorFilter } from '@app/core/http/error.filter';
import { HealthModule } from '@app/core/health/health.module';
import { JobsModule } from '@app/core/jobs/jobs.module';
import { PagingModule } from '@app/core/paging/paging.module';
import { RefusalsModule } from '@app/core/refusals/refusals.module';
import { MetricsModule } from '@app/core/metrics/metrics.module';
import type { Settings } from '@app/core/settings/settings';
import { EnvironmentModule } from '@app/core/environment/environment.module';
import { HandlerGuard, ResponseWriter } from '@app/core/wire/response-writer';
import { LongResponses } from '@app/core/wire/long-responses';
import { ResponsesInFlight } from '@app/core/wire/responses-in-flight';
import { AclsModule } from '@app/acls/acls.module';
import { ApiKeysModule } from '@app/apikeys/apikeys.module';
import { AuditRoutesModule } from '@app/audit/audit-routes.module';
import { AuthModule } from '@app/auth/auth.module';
import { ExplanationsModule } from '@app/explanations/explanations.module';
import { DocumentsModule } from '@app/documents/documents.module';
import { EntitiesModule } from '@app/entities/entities.module';
import { UserLoginsModule } from '@app/logins/user-logins.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ContactsModule } from '@app/contacts/contacts.module';
import { InvitationsModule } from '@app/invitations/invitations.module';
import { OrganisationsModule } from '@app/organisations/organisations.module';
import { PreferencesModule } from '@app/preferences/preferences.module';
import { PrivacyModule } from '@app/privacy/privacy.module';
import { RecoveryModule } from '@app/recovery/recovery.module';
import { ReferenceModule } from '@app/reference/reference.module';
import { SshKeysModule } from '@app/sshkeys/sshkeys.module';
import { SuspensionsModule } from '@app/suspensions/suspensions.module';
import { TeamsModule } from '@app/teams/teams.module';
import { TestClockModule } from '@app/test-clock/test-clock.module';
import { UsageModule } from '@app/usage/usage.module';
import { UsersModule } from '@app/users/users.module';
import { VariantsModule } from './variants/variants.module';

/** What a process needs beside its settings. */
export interface AppOptions {
  readonly settings: Settings;
  /** Connection string of the migrated database. */
  readonly databaseUrl: string;
  /** See {@link Settings.secretsKey}; made up and kept where the setting is absent. */
  readonly secretsKey: string;
  readonly logger: Logger;
}

/** The service: the ground first, then the domains in dependency order, then the choice of the variant. */
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
        MetricsModule,
        RefusalsModule,
        JobsModule,
        ExplanationsModule,
        OrganisationsModule,
        AclsModule,
        UsersModule,
        NotificationsModule,
        TeamsModule,
        ContactsModule,
        SuspensionsModule,
        AuthModule,
        RecoveryModule,
        ApiKeysModule,
        InvitationsModule,
        SshKeysModule,
        PreferencesModule,
        EntitiesModule,
        DocumentsModule,
        ReferenceModule,
        UserLoginsModule,
        AuditRoutesModule,
        PrivacyModule,
        UsageModule,
        VariantsModule.serving(settings.variant),
        ...(settings.testClock ? [TestClockModule] : []),
      ],
      providers: [
        ResponsesInFlight,
        LongResponses,
        { provide: APP_FILTER, useClass: ErrorFilter },
        ResponseWriter,
        { provide: APP_GUARD, useClass: HandlerGuard },
      ],
    };
  }
}
