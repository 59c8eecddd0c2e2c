import { Module } from '@nestjs/common';
import { UsersModule } from '@app/people/users/users.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { SoftLoginController } from './soft-login.controller';
import { SoftLoginService } from './soft-login.service';
import { SoftLoginShapes } from './soft-login.shapes';

/** Softlogin, in Variant A only. */
@Module({
  imports: [AuthModule, UsersModule, ThrottlingModule],
  controllers: [SoftLoginController],
  providers: [SoftLoginService, SoftLoginShapes],
})
export class SoftLoginModule {}
