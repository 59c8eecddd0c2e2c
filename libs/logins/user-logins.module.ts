import { Module } from '@nestjs/common';
import { UserLoginsShapes } from './shapes/user-logins.shapes';
import { UserLoginsController } from './user-logins.controller';
import { UserLoginsService } from './user-logins.service';

/** The logins of a user over HTTP; `libs/auth` makes and owns them. */
@Module({
  controllers: [UserLoginsController],
  providers: [UserLoginsService, UserLoginsShapes],
})
export class UserLoginsModule {}
