import { Module } from '@nestjs/common';
import { ThrottlingModule } from '@app/core/throttling/throttling.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { UsersModule } from '@app/users/users.module';
import { AuthModule } from '../auth.module';
import { TwoFactorShapes } from './two-factor.shapes';
import { RecoveryCodesController } from './recovery-codes.controller';
import { RecoveryCodesService } from './recovery-codes.service';
import { TrustedDevices } from './trusted-devices';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorService } from './two-factor.service';
import { UserTwoFactorController } from './user-two-factor.controller';

/** Two-factor login, which exists in Variant A only. */
@Module({
  imports: [AuthModule, UsersModule, NotificationsModule, ThrottlingModule],
  controllers: [TwoFactorController, UserTwoFactorController, RecoveryCodesController],
  providers: [RecoveryCodesService, TrustedDevices, TwoFactorService, TwoFactorShapes],
  exports: [TrustedDevices, UsersModule],
})
export class TwoFactorModule {}
