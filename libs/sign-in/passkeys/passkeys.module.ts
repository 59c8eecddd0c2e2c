import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { ConstraintErrorsModule } from '@app/platform/errors/constraint-errors';
import { PasskeyChallenge } from './passkey-challenge.entity';
import { Passkey } from './passkey.entity';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';

/** The stored passkeys, even if no route serves them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Passkey, PasskeyChallenge]),
    ConstraintErrorsModule.forFeature(PASSKEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
})
export class PasskeysModule {}
