import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { Passkey } from './passkey.entity';
import { PasskeyChallenge } from './passkey-challenge.entity';

/** The stored passkeys, even if no route serves them. */
@Module({
  imports: [TypeOrmModule.forFeature([Passkey, PasskeyChallenge]), NotificationsModule],
})
export class PasskeysModule {}
