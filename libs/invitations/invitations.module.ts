import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '@app/users/users.module';
import { InvitationMail } from './invitation-mail';
import { Invitation } from './invitation.entity';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { RegistrationController } from './registration.controller';
import { RegistrationService } from './registration.service';
import { DeprecationHeaders } from './tokenless-registration';

@Module({
  imports: [TypeOrmModule.forFeature([Invitation]), UsersModule],
  controllers: [InvitationsController, RegistrationController],
  providers: [InvitationsService, InvitationMail, RegistrationService],
})
export class InvitationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(DeprecationHeaders).forRoutes({ path: 'registerInvitation', method: RequestMethod.POST });
  }
}
