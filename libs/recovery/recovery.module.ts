import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { MailModule } from '@app/core/mail/mail.module';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { UsersModule } from '@app/users/users.module';
import { NameRestoration } from './name-restoration.entity';
import { NameRestorations } from './name-restorations';
import { RecoveryMailHandler } from './recovery-mail.handler';
import { RecoveryRequest } from './recovery-request.entity';
import { RecoveryCleanUp } from './recovery.clean-up';
import { RecoveryController } from './recovery.controller';
import { NameRestorationDeletion, RecoveryRequestDeletion } from './recovery.deletion';
import { NameRestorationPersonalData, RecoveryRequestPersonalData } from './recovery.privacy';
import { RECOVERY_CONSTRAINT_ERRORS } from './recovery.errors';
import { RecoveryService } from './recovery.service';
import { RenameMails } from './rename-mails';
import { UserRecovery } from './user-recovery';

@Module({
  imports: [
    TypeOrmModule.forFeature([NameRestoration, RecoveryRequest]),
    ConstraintErrorsModule.forFeature(RECOVERY_CONSTRAINT_ERRORS),
    UsersModule,
    MailModule,
    PasswordsModule,
    NotificationsModule,
  ],
  controllers: [RecoveryController],
  providers: [
    NameRestorationDeletion,
    NameRestorationPersonalData,
    NameRestorations,
    RecoveryCleanUp,
    RecoveryMailHandler,
    RecoveryRequestDeletion,
    RecoveryRequestPersonalData,
    RecoveryService,
    RenameMails,
    UserRecovery,
  ],
})
export class RecoveryModule {}
