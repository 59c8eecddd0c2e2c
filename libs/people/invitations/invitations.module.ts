import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { CustomersModule } from '@app/security/customers/customers.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { Invitation } from './invitation.entity';
import { InvitationDeletions } from './invitation-deletions';
import { InvitationMail } from './invitation-mail';
import { InvitationsController } from './invitations.controller';
import { INVITATION_NOTIFICATIONS } from './invitations.notifications';
import { InvitationsService } from './invitations.service';
import { DeprecationHeaders, RegistrationController } from './registration.controller';
import { RegistrationService } from './registration.service';
import { WelcomeMail } from './welcome-mail';

@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation]),
    UsersModule,
    MailModule,
    PasswordsModule,
    CustomersModule,
    ThrottlingModule,
    NotificationsModule.forFeature(INVITATION_NOTIFICATIONS),
  ],
  controllers: [InvitationsController, RegistrationController],
  providers: [InvitationDeletions, InvitationsService, InvitationMail, RegistrationService, WelcomeMail],
  exports: [RegistrationService],
})
export class InvitationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(DeprecationHeaders).forRoutes({ path: 'registerInvitation', method: RequestMethod.POST });
  }
}
