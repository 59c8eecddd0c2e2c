import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AddressCountries } from '@app/core/geography/address-countries';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { Settings } from '@app/core/settings/settings';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { UsersModule } from '@app/users/users.module';
import { AuthCleanUp } from './auth.clean-up';
import { AuthController } from './auth.controller';
import {
  KnownNetworkDeletion,
  LoginDeletion,
  RecoveryCodeDeletion,
  TrustedDeviceDeletion,
} from './auth.deletion';
import {
  KnownNetworkPersonalData,
  LoginPersonalData,
  RecoveryCodePersonalData,
  TrustedDevicePersonalData,
} from './auth.privacy';
import { DemandedSecondFactors } from './demanded-second-factors';
import { KnownNetwork } from './known-network.entity';
import { LoginUse } from './login-use';
import { Login } from './login.entity';
import { LoginsService } from './logins.service';
import { RecoveryCode } from './recovery-code.entity';
import { RecoveryCodes } from './recovery-codes';
import { RecoveryCodesOfRestoredUsers } from './restored-users';
import { TrustedDevice } from './trusted-device.entity';
import { UserCredentials } from './user-credentials';

@Module({
  imports: [
    TypeOrmModule.forFeature([Login, KnownNetwork, RecoveryCode, TrustedDevice]),
    UsersModule,
    PasswordsModule,
    NotificationsModule,
  ],
  controllers: [AuthController],
  providers: [
    LoginsService,
    AuthCleanUp,
    DemandedSecondFactors,
    KnownNetworkDeletion,
    KnownNetworkPersonalData,
    LoginDeletion,
    LoginPersonalData,
    LoginUse,
    RecoveryCodeDeletion,
    RecoveryCodePersonalData,
    RecoveryCodes,
    RecoveryCodesOfRestoredUsers,
    TrustedDeviceDeletion,
    TrustedDevicePersonalData,
    UserCredentials,
    {
      provide: AddressCountries,
      inject: [Settings],
      useFactory: ({ geoipDb }: Settings) => AddressCountries.open(geoipDb),
    },
  ],
  exports: [AddressCountries, LoginsService, RecoveryCodes],
})
export class AuthModule {}
