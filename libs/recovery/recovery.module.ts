import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/core/mail/mail.module';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { UsersModule } from '@app/users/users.module';
import { RecoveryMailHandler } from './recovery-mail.handler';
import { RecoveryRequest } from './recovery-request.entity';
import { RecoveryCleanUp } from './recovery.clean-up';
import { RecoveryController } from './recovery.controller';
import { RecoveryRequestDeletion } from './recovery.deletion';
import { RecoveryService } from './recovery.service';
import { UserRecovery } from './user-recovery';

@Module({
  imports: [
    TypeOrmModule.forFeature([RecoveryRequest]),
    UsersModule,
    MailModule,
    PasswordsModule,
    NotificationsModule,
  ],
  controllers: [RecoveryController],
  providers: [RecoveryMailHandler, RecoveryService, RecoveryCleanUp, RecoveryRequestDeletion, UserRecovery],
})
export class RecoveryModule {}
