import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { LinkLoginController } from './link-login.controller';
import { LinkLoginsService } from './link-logins.service';
import { LoginLink } from './login-link.entity';
import { LoginLinksController } from './login-links.controller';
import { LOGIN_LINK_NOTIFICATIONS } from './login-links.notifications';
import { LoginLinksService } from './login-links.service';

/** Links by which a program of the operator lets a user into the panel. */
@Module({
  imports: [
    TypeOrmModule.forFeature([LoginLink]),
    AuthModule,
    NotificationsModule.forFeature(LOGIN_LINK_NOTIFICATIONS),
    ThrottlingModule,
    UsersModule,
  ],
  controllers: [LoginLinksController, LinkLoginController],
  providers: [LoginLinksService, LinkLoginsService],
})
export class LoginLinksModule {}
