import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { RecoveryController } from './recovery.controller';
import { RecoveryService } from './recovery.service';
import { RecoveryMailHandler } from './recovery-mail.handler';
import { RecoveryRequest } from './recovery-request.entity';
import { RecoveryRequestEvents } from './recovery-request-events';
import { RenameMails } from './rename-mails';
import { UsernameLinks } from './username-links';

@Module({
  imports: [
    TypeOrmModule.forFeature([RecoveryRequest]),
    UsersModule,
    MailModule,
    PasswordsModule,
    ThrottlingModule,
  ],
  controllers: [RecoveryController],
  providers: [RecoveryMailHandler, RecoveryRequestEvents, RecoveryService, RenameMails, UsernameLinks],
  exports: [RecoveryService],
})
export class RecoveryModule {}
