import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccessModule } from '@app/core/access/access.module';
import { AttemptsModule } from '@app/core/attempts/attempts.module';
import { AuditModule } from '@app/core/audit/audit.module';
import { ClockModule } from '@app/core/clock/clock.module';
import { DatabaseModule } from '@app/core/database/database.module';
import { ErrorFilter } from '@app/core/errors/error-filter';
import { HealthModule } from '@app/core/health/health.module';
import { JobsModule } from '@app/core/jobs/jobs.module';
import { MailModule } from '@app/core/mail/mail.module';
import { MetricsModule } from '@app/core/metrics/metrics.module';
import type { Settings } from '@app/core/settings/settings';
import { SettingsModule } from '@app/core/settings/settings.module';
import { AnswerWriter } from '@app/core/wire/answer-writer';
import { AclsModule } from '@app/acls/acls.module';
import { AuthModule } from '@app/auth/auth.module';
import { EntitiesModule } from '@app/entities/entities.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ContactsModule } from '@app/contacts/contacts.module';
import { InvitationsModule } from '@app/invitations/invitations.module';
import { OrganisationsModule } from '@app/organisations/organisations.module';
import { RecoveryModule } from '@app/recovery/recovery.module';
import { SshKeysModule } from '@app/sshkeys/sshkeys.module';
import { TeamsModule } from '@app/teams/teams.module';
import { UsersModule } from '@app/users/users.module';
import { VariantsModule } from './variants/variants.module';

/** What a process needs beside its settings. */
export interface Surroundings {
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
  static in({ settings, databaseUrl, secretsKey, logger }: Surroundings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(settings, secretsKey, logger),
        DatabaseModule.connectedTo(databaseUrl, settings.databasePool),
        AccessModule,
        AttemptsModule,
        AuditModule,
        ClockModule,
        HealthModule,
        MetricsModule,
        JobsModule,
        MailModule,
        AclsModule,
        OrganisationsModule,
        NotificationsModule,
        TeamsModule,
        UsersModule,
        ContactsModule,
        AuthModule,
        EntitiesModule,
        RecoveryModule,
        SshKeysModule,
        InvitationsModule,
        VariantsModule.serving(settings.variant),
      ],
      providers: [AnswerWriter, { provide: APP_FILTER, useClass: ErrorFilter }],
    };
  }
}
