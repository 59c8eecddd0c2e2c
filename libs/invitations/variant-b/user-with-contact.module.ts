import { Module } from '@nestjs/common';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { UsersModule } from '@app/users/users.module';
import { UserWithContactController } from './user-with-contact.controller';
import { UserWithContactService } from './user-with-contact.service';
import { UserWithContactShapes } from './user-with-contact.shapes';

/** `…/userandcontact`, which exists in Variant B only. It stands here, not with users: contacts build on users. */
@Module({
  imports: [UsersModule, PasswordsModule],
  controllers: [UserWithContactController],
  providers: [UserWithContactService, UserWithContactShapes],
})
export class UserWithContactModule {}
