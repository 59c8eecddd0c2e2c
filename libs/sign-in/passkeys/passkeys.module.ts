import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { PasskeyChallenge } from './passkey-challenge.entity';
import { Passkey } from './passkey.entity';

/** The stored passkeys, even if no route serves them. */
@Module({
  imports: [TypeOrmModule.forFeature([Passkey, PasskeyChallenge]), NotificationsModule],
})
export class PasskeysModule {}
