import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { OtherFactors } from '@app/sign-in/auth/other-factors';
import { Passkey } from './passkey.entity';
import { PasskeyChallenge } from './passkey-challenge.entity';
import { PasskeyResets } from './passkey-resets';
import { PASSKEY_NOTIFICATIONS } from './passkeys.notifications';
import { PasskeysAsFactors } from './passkeys-as-factors';

/**
 * The stored passkeys, even if no route serves them. Global, because logins and the links of mails, which lie
 * below, ask what passkeys are as second factors.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Passkey, PasskeyChallenge]),
    NotificationsModule.forFeature(PASSKEY_NOTIFICATIONS),
  ],
  providers: [PasskeyResets, { provide: OtherFactors, useClass: PasskeysAsFactors }],
  exports: [OtherFactors],
})
export class PasskeysModule {}
