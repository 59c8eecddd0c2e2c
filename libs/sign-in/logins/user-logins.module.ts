import { Module } from '@nestjs/common';
import { UsersModule } from '@app/people/users/users.module';
import { UserLoginsShapes } from './shapes/user-logins.shapes';
import { UserLoginsController } from './user-logins.controller';
import { UserLoginsService } from './user-logins.service';

/** The routes of logins; `libs/sign-in/auth` owns the table. */
@Module({
  imports: [UsersModule],
  controllers: [UserLoginsController],
  providers: [UserLoginsService, UserLoginsShapes],
})
export class UserLoginsModule {}
