import { Module } from '@nestjs/common';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { AddressCountries } from '@app/core/geography/address-countries';
import { Settings } from '@app/core/settings/settings';
import { UsersModule } from '@app/users/users.module';
import { AuthModule } from '../auth.module';
import { TwoFactorShapes } from './two-factor.shapes';
import { TrustedDevices } from './trusted-devices';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorService } from './two-factor.service';
import { UserTwoFactorController } from './user-two-factor.controller';

/** Two-factor login, which exists in Variant A only. */
@Module({
  imports: [AuthModule, UsersModule, NotificationsModule],
  controllers: [TwoFactorController, UserTwoFactorController],
  providers: [
    TrustedDevices,
    TwoFactorService,
    TwoFactorShapes,
    {
      provide: AddressCountries,
      inject: [Settings],
      useFactory: ({ geoipDb }: Settings) => AddressCountries.open(geoipDb),
    },
  ],
  exports: [TrustedDevices, UsersModule],
})
export class TwoFactorModule {}
