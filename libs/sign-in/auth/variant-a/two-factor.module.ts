import { Module } from '@nestjs/common';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { AuthModule } from '../auth.module';
import { RecoveryCodesController } from './recovery-codes.controller';
import { TrustedDevices } from './trusted-devices';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorShapes } from './two-factor.shapes';
import { UserTwoFactorController } from './user-two-factor.controller';

/** Two-factor login. Only Variant A has it. */
@Module({
  imports: [AuthModule, UsersModule, NotificationsModule],
  controllers: [TwoFactorController, UserTwoFactorController, RecoveryCodesController],
  providers: [TrustedDevices, TwoFactorService, TwoFactorShapes],
  exports: [TrustedDevices, UsersModule],
})
export class TwoFactorModule {}
