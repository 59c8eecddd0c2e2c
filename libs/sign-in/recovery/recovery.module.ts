import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { EndTakeoverHandler } from './end-takeover.handler';
import { NameRestoration } from './name-restoration.entity';
import { NameRestorations } from './name-restorations';
import { RecoveryController } from './recovery.controller';
import { TAKEOVER_ELSEWHERE_NOTICES, TAKEOVER_NOTICES } from './recovery.notices';
import { RecoveryService } from './recovery.service';
import { RecoveryMailHandler } from './recovery-mail.handler';
import { RecoveryRequest } from './recovery-request.entity';
import { RenameMails } from './rename-mails';
import { TakeoverNews } from './takeover-news';

@Module({
  imports: [
    TypeOrmModule.forFeature([NameRestoration, RecoveryRequest]),
    UsersModule,
    MailModule,
    PasswordsModule,
    NotificationsModule.forFeature(TAKEOVER_NOTICES, TAKEOVER_ELSEWHERE_NOTICES),
  ],
  controllers: [RecoveryController],
  providers: [
    EndTakeoverHandler,
    NameRestorations,
    RecoveryMailHandler,
    RecoveryService,
    RenameMails,
    TakeoverNews,
  ],
  exports: [RecoveryService],
})
export class RecoveryModule {}
