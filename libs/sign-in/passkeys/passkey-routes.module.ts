import { type DynamicModule, Module } from '@nestjs/common';
import type { Settings } from '@app/config/settings';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { PasskeyChallenges } from './passkey-challenges';
import { PasskeyLoginController } from './passkey-login.controller';
import { PasskeyLoginsService } from './passkey-logins.service';
import { PasskeysController } from './passkeys.controller';
import { PasskeysService } from './passkeys.service';
import { PasskeysShapes } from './shapes/passkeys.shapes';
import { RelyingParty, WebAuthn } from './webauthn';

/** The routes of passkeys, in Variant A with `PASSKEY_RP_ID` and `PASSKEY_ORIGINS`. */
@Module({
  imports: [AuthModule, NotificationsModule, ThrottlingModule, UsersModule],
  controllers: [PasskeysController, PasskeyLoginController],
  providers: [PasskeyChallenges, PasskeyLoginsService, PasskeysService, PasskeysShapes, WebAuthn],
})
export class PasskeyRoutesModule {
  /** Without the settings of passkeys their routes are unknown paths (rule passkeys 1). */
  static readonly with = ({ passkeys }: Pick<Settings, 'passkeys'>): DynamicModule[] =>
    passkeys === undefined
      ? []
      : [{ module: PasskeyRoutesModule, providers: [{ provide: RelyingParty, useValue: passkeys }] }];
}
