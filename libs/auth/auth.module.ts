import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '@app/users/users.module';
import { AuthController } from './auth.controller';
import { Login } from './login.entity';
import { LoginsService } from './logins.service';
import { TrustedDevice } from './trusted-device.entity';

@Module({
  imports: [TypeOrmModule.forFeature([Login, TrustedDevice]), UsersModule],
  controllers: [AuthController],
  providers: [LoginsService],
  exports: [LoginsService],
})
export class AuthModule {}
