import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/core/mail/mail.module';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { ThrottlingModule } from '@app/core/throttling/throttling.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { UsersModule } from '@app/users/users.module';
import { InvitationMail } from './invitation-mail';
import { Invitation } from './invitation.entity';
import { InvitationsCleanUp } from './invitations.clean-up';
import { InvitationDeletion } from './invitations.deletion';
import { InvitationPersonalData } from './invitations.privacy';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { RegistrationController } from './registration.controller';
import { RegistrationService } from './registration.service';
import { DeprecationHeaders } from './tokenless-registration';
import { INVITATION_CONSTRAINT_ERRORS } from './invitations.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation]),
    ConstraintErrorsModule.forFeature(INVITATION_CONSTRAINT_ERRORS),
    UsersModule,
    MailModule,
    PasswordsModule,
    ThrottlingModule,
    NotificationsModule,
  ],
  controllers: [InvitationsController, RegistrationController],
  providers: [
    InvitationsService,
    InvitationDeletion,
    InvitationPersonalData,
    InvitationsCleanUp,
    InvitationMail,
    RegistrationService,
  ],
})
export class InvitationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(DeprecationHeaders).forRoutes({ path: 'registerInvitation', method: RequestMethod.POST });
  }
}
