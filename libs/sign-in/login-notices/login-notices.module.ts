import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { FirstLogin } from './first-login.entity';
import { LoginEndings } from './login-endings';
import { LoginNotice } from './login-notice.entity';
import { LoginNotices } from './login-notices';

/** Mails about logins from new networks or devices, and the links in them. */
@Module({
  imports: [TypeOrmModule.forFeature([FirstLogin, LoginNotice]), MailModule],
  providers: [LoginEndings, LoginNotices],
  exports: [LoginEndings, LoginNotices],
})
export class LoginNoticesModule {}
