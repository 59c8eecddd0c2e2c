import { Module } from '@nestjs/common';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { UsernameLinksController } from './username-links.controller';
import { UsernameLinksService } from './username-links.service';
import { UsernameLinkShapes } from './username-links.shapes';

/** The use of the links that verify user names (rule recovery 29). */
@Module({
  imports: [PasswordsModule, UsersModule],
  controllers: [UsernameLinksController],
  providers: [UsernameLinkShapes, UsernameLinksService],
  exports: [UsernameLinkShapes, UsernameLinksService],
})
export class UsernameLinksModule {}
