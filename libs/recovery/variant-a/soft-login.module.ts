import { Module } from '@nestjs/common';
import { ThrottlingModule } from '@app/core/throttling/throttling.module';
import { AuthModule } from '@app/auth/auth.module';
import { UsersModule } from '@app/users/users.module';
import { SoftLoginController } from './soft-login.controller';
import { SoftLoginService } from './soft-login.service';
import { SoftLoginShapes } from './soft-login.shapes';

/** Softlogin: Variant A only. */
@Module({
  imports: [AuthModule, UsersModule, ThrottlingModule],
  controllers: [SoftLoginController],
  providers: [SoftLoginService, SoftLoginShapes],
})
export class SoftLoginModule {}
