import { Module } from '@nestjs/common';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { UserWithContactController } from './user-with-contact.controller';
import { UserWithContactService } from './user-with-contact.service';
import { UserWithContactShapes } from './user-with-contact.shapes';

/** `…/userandcontact` of Variant B. It is not part of users, because contacts import users. */
@Module({
  imports: [UsersModule, PasswordsModule],
  controllers: [UserWithContactController],
  providers: [UserWithContactService, UserWithContactShapes],
})
export class UserWithContactModule {}
