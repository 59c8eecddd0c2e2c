import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { NewNetworkListener } from '@app/sign-in/auth/new-network-listener';
import { FirstLogin } from './first-login.entity';
import { LoginEndings } from './login-endings';
import { LoginNotice } from './login-notice.entity';
import { LoginNotices } from './login-notices';

/**
 * Mails about logins from new networks or devices, and the links in them. Global, because logins, which lie
 * below, tell it of each such login. It needs the logins by name, which its links end.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([FirstLogin, LoginNotice]), MailModule],
  providers: [LoginEndings, LoginNotices, { provide: NewNetworkListener, useExisting: LoginNotices }],
  exports: [LoginEndings, NewNetworkListener],
})
export class LoginNoticesModule {}
