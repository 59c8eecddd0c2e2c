import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '@app/config/settings';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { AddressCountries } from './address-countries';
import { AuthController } from './auth.controller';
import { AUTH_NOTIFICATIONS } from './auth.notifications';
import { AuthenticatorResets } from './authenticator-resets';
import { KnownNetwork } from './known-network.entity';
import { Login } from './login.entity';
import { LoginsService } from './logins.service';
import { RecoveryCode } from './recovery-code.entity';
import { RecoveryCodes } from './recovery-codes';
import { RightLogins } from './right-logins';
import { OlderDeviceToken, TrustedDevice } from './trusted-device.entity';

@Module({
  imports: [
    TypeOrmModule.forFeature([Login, KnownNetwork, OlderDeviceToken, RecoveryCode, TrustedDevice]),
    UsersModule,
    PasswordsModule,
    NotificationsModule.forFeature(AUTH_NOTIFICATIONS),
    ThrottlingModule,
  ],
  controllers: [AuthController],
  providers: [
    AuthenticatorResets,
    LoginsService,
    RecoveryCodes,
    RightLogins,
    {
      provide: AddressCountries,
      inject: [Settings],
      useFactory: ({ geoipDb }: Settings) => AddressCountries.open(geoipDb),
    },
  ],
  exports: [AddressCountries, LoginsService, RecoveryCodes, RightLogins],
})
export class AuthModule {}
