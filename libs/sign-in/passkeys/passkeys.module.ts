import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Passkey } from './passkey.entity';
import { PasskeyChallenge } from './passkey-challenge.entity';
import { PASSKEY_NOTICES } from './passkeys.notices';

/** The stored passkeys, even if no route serves them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Passkey, PasskeyChallenge]),
    NotificationsModule.forFeature(PASSKEY_NOTICES),
  ],
})
export class PasskeysModule {}
